/**
 * A bridge in front of the real Codex for the time of a test: real clients on one side, a scripted Responses API behind
 * Codex that keeps what it was asked.
 */
import { readdirSync, readFileSync, realpathSync } from "node:fs"
import { join } from "node:path"
import { schemaVersion } from "@agentwire/protocol/codex"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layerCodexRuntime } from "../../packages/bridge/src/runtime/codex/CodexRuntime.ts"
import { codexLauncher } from "../../packages/bridge/src/runtime/codex/Launcher.ts"
import { layerSqliteStore } from "../../packages/bridge/src/store/sqlite/SqliteStore.ts"
import { type CodexSettings, makeCodexHome } from "../../packages/fixtures/src/codex/Home.ts"
import { installCodex } from "../../packages/fixtures/src/codex/InstallCodex.ts"
import { type ResponsesReply, startResponses } from "../../packages/fixtures/src/codex/Responses.ts"
import type { JsonObject } from "../../packages/fixtures/src/Json.ts"
import { type Place, type Setting, servedBy } from "./OnBridge.ts"

/** A part of a test, with a bridge of its own. */
export type Life = (place: Place) => Promise<void>

/** One bridge after the other, on the same store and the same home of Codex. */
export const withCodex = (
  replies: ReadonlyArray<ResponsesReply>,
  { codex, http, session }: Pick<Setting, "http" | "session"> & { readonly codex?: CodexSettings },
  ...lives: ReadonlyArray<Life>
): Effect.Effect<void> =>
  Effect.gen(function* () {
    const asked: Array<JsonObject> = []
    const released = <A>(make: () => Promise<A>, release: (made: A) => Promise<unknown>) =>
      Effect.acquireRelease(Effect.promise(make), (made) => Effect.promise(() => release(made)))
    const model = yield* released(
      () => startResponses(replies, { onRequest: (path, body) => void (path === "/v1/responses" && asked.push(body)) }),
      ({ close }) => close()
    )
    const home = yield* released(
      () => makeCodexHome(model.url, codex),
      ({ remove }) => remove()
    )
    const { program } = yield* Effect.promise(() => installCodex(schemaVersion))
    const { PATH = "", ...env } = home.env
    const runtime = layerCodexRuntime.pipe(Layer.provide(codexLauncher({ codexPath: program, inherit: { PATH }, env })))
    const project = realpathSync(home.cwd)
    const store = layerSqliteStore({ folder: join(home.folder, "data") })
    for (const life of lives)
      yield* Effect.scoped(
        servedBy(runtime, { session: { cwd: project, ...session }, store, ...(http && { http }) }, (place) =>
          life({ ...place, project, asked })
        )
      )
  }).pipe(Effect.scoped)

/** The processes of this machine, with their command lines: words that end with NUL. */
const processes = (): ReadonlyArray<{ readonly pid: number; readonly words: string }> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [{ pid: Number(name), words: readFileSync(`/proc/${name}/cmdline`, "utf8") }]
      } catch {
        return [] // It ended meanwhile.
      }
    })

/** Whether a process runs whose command line begins with these words. */
export const isRunning = (words: string): boolean => processes().some((each) => each.words.startsWith(words))

/** The processes of Codex that work in a folder. */
export const codexIn = (project: string): ReadonlyArray<number> =>
  processes()
    .filter(({ pid, words }) => /^[^\0]*\/codex\0/.test(words) && folderOf(pid) === project)
    .map(({ pid }) => pid)

const folderOf = (pid: number): string | undefined => {
  try {
    return realpathSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined // It ended meanwhile.
  }
}
