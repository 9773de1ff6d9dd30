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
import { type CodexLauncherOptions, codexLauncher } from "../../packages/bridge/src/runtime/codex/Launcher.ts"
import type { Runtime } from "../../packages/bridge/src/session/Runtime.ts"
import { layerRuntimes } from "../../packages/bridge/src/session/Runtimes.ts"
import { layerSqliteStore } from "../../packages/bridge/src/store/sqlite/SqliteStore.ts"
import { type CodexSettings, makeCodexHome } from "../../packages/fixtures/src/codex/Home.ts"
import { installCodex } from "../../packages/fixtures/src/codex/InstallCodex.ts"
import {
  type ResponsesOptions,
  type ResponsesReply,
  startResponses
} from "../../packages/fixtures/src/codex/Responses.ts"
import type { JsonObject } from "../../packages/fixtures/src/Json.ts"
import { type Place, type Setting, servedBy } from "./OnBridge.ts"

/** A part of a test, with a bridge of its own. */
export type Life = (place: Place) => Promise<void>

/** Codex as a person has it who knows of no bridge. */
export interface LoneCodex {
  readonly program: string
  readonly env: Readonly<Record<string, string>>
  /** The folder of all that there is of it. */
  readonly folder: string
  /** The folder that it works in. */
  readonly project: string
}

/** What is special about a bridge in front of Codex. */
export interface CodexSetting extends Pick<Setting, "http" | "session"> {
  /** What the configuration of Codex has besides. */
  readonly codex?: CodexSettings
  /** Conversations of the model beside the main one, by words that are said in them. */
  readonly lanes?: ResponsesOptions["lanes"]
  /** How Codex is started: by its app-server, unless it is said otherwise. */
  readonly runtime?: (options: CodexLauncherOptions) => Layer.Layer<Runtime>
  /** What is done with Codex before there is a bridge. */
  readonly before?: (codex: LoneCodex) => Promise<void>
  /** Runtimes beside Codex, which is for the sessions that name none. */
  readonly beside?: ReadonlyArray<Layer.Layer<Runtime>>
}

const appServer = (options: CodexLauncherOptions): Layer.Layer<Runtime> =>
  Layer.provide(layerCodexRuntime, codexLauncher(options))

/** One bridge after the other, on the same store and the same home of Codex. */
export const withCodex = (
  replies: ReadonlyArray<ResponsesReply>,
  { before, beside = [], codex, http, lanes, runtime = appServer, session }: CodexSetting,
  ...lives: ReadonlyArray<Life>
): Effect.Effect<void> =>
  Effect.gen(function* () {
    const asked: Array<JsonObject> = []
    const released = <A>(make: () => Promise<A>, release: (made: A) => Promise<unknown>) =>
      Effect.acquireRelease(Effect.promise(make), (made) => Effect.promise(() => release(made)))
    const model = yield* released(
      () =>
        startResponses(replies, {
          ...(lanes && { lanes }),
          onRequest: (path, body) => void (path === "/v1/responses" && asked.push(body))
        }),
      ({ close }) => close()
    )
    const home = yield* released(
      () => makeCodexHome(model.url, codex),
      ({ remove }) => remove()
    )
    const { program } = yield* Effect.promise(() => installCodex(schemaVersion))
    const { PATH = "", ...env } = home.env
    const first = runtime({ codexPath: program, inherit: { PATH }, env })
    const agents = beside.length === 0 ? first : layerRuntimes(first, ...beside)
    const project = realpathSync(home.cwd)
    if (before) yield* Effect.promise(() => before({ program, env: home.env, folder: home.folder, project }))
    const store = layerSqliteStore({ folder: join(home.folder, "data") })
    for (const life of lives)
      yield* Effect.scoped(
        servedBy(agents, { session: { cwd: project, ...session }, store, ...(http && { http }) }, (place) =>
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
