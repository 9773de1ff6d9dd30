/** A real CLI, a scripted model and fresh folders for the agents of the bridge. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { installCli, type ModelScript, startModel } from "@agentwire/fixtures"
import * as Effect from "effect/Effect"
import { type CliLauncherOptions, cliLauncher } from "../../packages/bridge/src/runtime/claude/CliLauncher.ts"

/** What the launcher of a test is made of. */
export interface Setup {
  readonly options: CliLauncherOptions
  readonly project: string
}

/** Folders and a model that are gone with the scope, and the options of a launcher that uses nothing else. */
export const setUp = (version: string, script: ModelScript, more: CliLauncherOptions = {}) =>
  Effect.gen(function* () {
    const root = yield* Effect.acquireRelease(
      Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "agentwire-")))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))
    )
    const folders = { home: join(root, "home"), project: join(root, "project"), tmp: join(root, "tmp") }
    for (const folder of Object.values(folders)) mkdirSync(folder)
    const model = yield* Effect.acquireRelease(
      Effect.promise(() => startModel({ script })),
      ({ close }) => Effect.promise(close)
    )
    const { args, program } = yield* Effect.promise(() => installCli(version))
    const options: CliLauncherOptions = {
      cliPath: args[0] ?? program,
      inherit: { PATH: process.env["PATH"] ?? "" },
      env: {
        HOME: folders.home,
        TMPDIR: folders.tmp,
        ANTHROPIC_API_KEY: "sk-dummy-000000000000000000000000",
        ANTHROPIC_BASE_URL: model.url,
        DISABLE_TELEMETRY: "1",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1"
      },
      ...more
    }
    return { options, project: folders.project, launcher: cliLauncher(options) }
  })
