import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layerBridgeSessions } from "@agentwire/bridge"
import { AgentLauncher, LaunchFailed, layerClaudeRuntime } from "@agentwire/bridge/claude"
import { Sessions } from "@agentwire/bridge/session"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, describe, expect, it, vi } from "vitest"
import { findAgents } from "../../src/serve/Agents.ts"
import { tokenVariable } from "../../src/serve/OptionWords.ts"

const root = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-agents-")))
const inside = join(root, "inside")
mkdirSync(inside)
symlinkSync(root, join(inside, "out"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const launchIn = (cwd: string) => {
  const launched: Array<string> = []
  const inner = Layer.succeed(AgentLauncher, {
    launch: (request) =>
      Effect.suspend(() => {
        launched.push(request.cwd)
        return Effect.fail(new LaunchFailed({ code: "REACHED", message: "" }))
      })
  })
  return Effect.gen(function* () {
    const sessions = yield* Sessions
    const { code } = yield* Effect.flip(Effect.flatMap(sessions.open("t"), ({ start }) => start))
    return { code, launched }
  }).pipe(
    Effect.provide(
      layerBridgeSessions({ session: { cwd }, roots: [inside] }).pipe(
        Layer.provide(layerClaudeRuntime),
        Layer.provide(inner)
      )
    ),
    Effect.runPromise
  )
}

describe("the agents of serve", () => {
  it("start under the roots only, where links really lead", async () => {
    expect(await launchIn(inside)).toEqual({ code: "REACHED", launched: [inside] })
    for (const cwd of [root, join(inside, "out"), join(inside, "..")])
      expect(await launchIn(cwd)).toEqual({ code: "CWD_OUTSIDE_ROOTS", launched: [] })
  })

  it("do not know the token of the bridge", async () => {
    const cli = join(root, "claude")
    const seen = join(root, "seen")
    writeFileSync(cli, `#!/bin/sh\nenv >> '${seen}'\necho 2.1.325\n`)
    chmodSync(cli, 0o755)
    vi.stubEnv(tokenVariable, "a-token-nobody-else-has")
    const source = { _tag: "Cli", runtime: "claude", path: cli, transport: "auto", record: undefined } as const
    const { layer, what } = await Effect.runPromise(findAgents(source, undefined))
    vi.unstubAllEnvs()
    expect(what).toBe("Claude Code 2.1.325")
    await Effect.gen(function* () {
      const sessions = yield* Sessions
      yield* Effect.exit(Effect.flatMap(sessions.open("t"), ({ start }) => start))
    }).pipe(
      Effect.provide(Layer.provide(layerBridgeSessions({ session: { cwd: inside }, roots: [inside] }), layer)),
      Effect.runPromise
    )
    const environments = readFileSync(seen, "utf8")
    expect(environments.match(/^PATH=/gm)).toHaveLength(2)
    expect(environments).not.toContain("a-token-nobody-else-has")
  })
})
