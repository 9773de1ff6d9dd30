/**
 * What the real Codex asks before a command reaches a host: through its own proxy, where requirements of the machine switch
 * that on (docs/wire/codex.md §3.45). Those are in `/etc`, so Codex gets a copy of that in a mount namespace of its own.
 */
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type * as Model from "@agentwire/protocol/model"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { layerCodexRuntime } from "../../packages/bridge/src/runtime/codex/CodexRuntime.ts"
import { codexLauncher } from "../../packages/bridge/src/runtime/codex/Launcher.ts"
import type { Session } from "../../packages/bridge/src/session/Session.ts"
import { closeServer, listen } from "../../packages/fixtures/src/Model.ts"
import { withCodex } from "./CodexBridge.ts"

/** A program that starts Codex where `/etc` is another folder, as root of a user namespace unless it is root. */
const startedWith = (folder: string, etc: string, codex: string): string => {
  const program = join(folder, "codex-elsewhere")
  const space = process.getuid?.() === 0 ? "-m" : "-rm"
  writeFileSync(
    program,
    `#!/bin/sh\nexec unshare ${space} sh -c 'mount --bind "$0" /etc && exec "$@"' '${etc}' '${codex}' "$@"\n`
  )
  chmodSync(program, 0o755)
  return program
}

/** Answers all that a turn asks, and returns what that was. */
const ask = async (session: Session, answer: Model.Answer): Promise<ReadonlyArray<unknown>> => {
  const before = session.log.situation().turns
  const prompt = { type: "prompt", said: [{ id: `m${before}`, content: "Go" }] } as const
  const ticket = `t${before}`
  await Effect.runPromise(session.submit(() => Result.succeed({ ticket, answers: [], results: [], tools: [], prompt })))
  const seen = new Map<string, unknown>()
  while (session.log.situation().turns === before || session.log.situation().turn !== undefined) {
    for (const { request } of await Effect.runPromise(session.waiting)) {
      if (seen.has(request.id)) continue
      seen.set(request.id, request)
      await Effect.runPromise(Effect.ignore(session.answer(request.id, answer)))
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return [...seen.values()]
}

const allow = { type: "allow" } as const

/** Registers the test. Nobody may mount anything in some places, so it is part of a sweep. */
export const networkTests = (): unknown =>
  describe("the real Codex, before a command reaches a host", () => {
    it.live(
      "asks for the host, once, for the session or for good, and lets it be reached or not as the answer says",
      () =>
        Effect.gen(function* () {
          const folder = yield* Effect.acquireRelease(
            Effect.sync(() => mkdtempSync(join(tmpdir(), "agentwire-network-"))),
            (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
          )
          let reached = 0
          const server = createServer((_, response) => {
            reached++
            response.end("from the host\n")
          })
          const port = yield* Effect.acquireRelease(
            Effect.promise(() => listen(server)),
            () => Effect.promise(() => closeServer(server))
          )
          const hosts = ["asked.test", "refused.test", "session.test", "kept.test"]
          const etc = join(folder, "etc")
          mkdirSync(join(etc, "codex"), { recursive: true })
          for (const name of ["passwd", "group", "nsswitch.conf"]) cpSync(join("/etc", name), join(etc, name))
          writeFileSync(join(etc, "hosts"), `127.0.0.1 localhost ${hosts.join(" ")}\n`)
          writeFileSync(
            join(etc, "codex", "requirements.toml"),
            "[experimental_network]\nenabled = true\nallow_local_binding = true\n"
          )
          const curl = (host: string) =>
            ({ kind: "command", command: `curl -sS -m 20 http://${host}:${port}/` }) as const
          const over = { kind: "text", deltas: ["Tried."] } as const
          yield* withCodex(
            [
              ...["asked.test", "refused.test", "asked.test"].flatMap((host) => [curl(host), over]),
              // Asked about once, the first time.
              ...["session.test", "kept.test"].flatMap((host) => [curl(host), over, curl(host), over])
            ],
            {
              session: { approvals: "interrupt", agent: { permissionMode: "on-request" } },
              runtime: (options) =>
                Layer.provide(
                  layerCodexRuntime,
                  codexLauncher({ ...options, codexPath: startedWith(folder, etc, options.codexPath ?? "codex") })
                )
            },
            async ({ asked, project, session: open }) => {
              const home = join(dirname(project), "codex")
              const session = await open()
              const outputOf = (): string => JSON.stringify(asked.at(-1)?.["input"])
              expect(await ask(session, allow)).toMatchObject([
                {
                  kind: "permission",
                  message: "May Codex reach asked.test?",
                  input: { networkApprovalContext: { host: "asked.test", protocol: "http" } },
                  suggestions: [
                    { value: { applyNetworkPolicyAmendment: { network_policy_amendment: { action: "allow" } } } }
                  ]
                }
              ])
              expect(outputOf()).toContain("from the host")
              expect(reached).toBe(1)
              expect(await ask(session, { type: "deny", reason: "No." })).toMatchObject([
                { message: "May Codex reach refused.test?" }
              ])
              expect(reached).toBe(1)
              expect(await ask(session, allow)).toHaveLength(1)
              expect(reached).toBe(2)

              // For the session, and by the rule for the host that Codex suggests.
              for (const [host, id] of [
                ["session.test", "session"],
                ["kept.test", "/network/0"]
              ] as const) {
                expect(await ask(session, { ...allow, remember: [id] })).toMatchObject([
                  {
                    message: `May Codex reach ${host}?`,
                    remember: [{ id: "session" }],
                    suggestions: [{ id: "/network/0" }]
                  }
                ])
                const before = reached
                expect(await ask(session, { type: "deny", reason: "Asked again." })).toEqual([])
                expect(reached).toBe(before + 1)
              }
              const rules = readFileSync(join(home, "rules", "default.rules"), "utf8")
              expect(rules).toContain("kept.test")
              expect(rules).not.toContain("session.test")
            }
          )
        }).pipe(Effect.scoped)
    )
  })
