/** This very machine, for the checks of `agentwire doctor`. */

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { createServer } from "node:net"
import { homedir } from "node:os"
import { join } from "node:path"
import { findCli } from "@agentwire/bridge/claude"
import { findCodex } from "@agentwire/bridge/codex"
import { isRecord } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import type { RuntimeKind } from "../runtime/Runtimes.ts"
import { tokenVariable } from "../serve/OptionWords.ts"
import { defaultData } from "../serve/ServeOptions.ts"
import { codexTrip } from "./CodexTrip.ts"
import { roundTrip } from "./RoundTrip.ts"
import { sandboxTrip } from "./SandboxTrip.ts"
import { inspectState } from "./StateFolder.ts"
import type { DoctorOptions, PortLook, Surroundings } from "./Surroundings.ts"

/** What the CLI may take to say its version, however patient the person is. */
const versionLimitMs = 15_000

/** This machine. */
export const machine = (
  options: DoctorOptions,
  processEnv: Readonly<Record<string, string | undefined>>
): Effect.Effect<Surroundings> =>
  Effect.gen(function* () {
    // As `serve` does: what an agent runs must not know how to get into the bridge.
    const { [tokenVariable]: _, ...env } = processEnv
    const asking = { env, versionLimitMs: Math.min(versionLimitMs, options.timeoutMs) }
    const manifest = manifestAt("agentwire/package.json")
    const named = (kind: RuntimeKind) => (options.runtime === kind ? options.cli : undefined)
    const [cliPath, codexPath] = [named("claude"), named("codex")]
    return {
      options,
      env: processEnv,
      platform: process.platform,
      node: process.version,
      agentwire: { version: String(manifest?.["version"]), node: nodeOf(manifest) },
      findCli: yield* Effect.cached(findCli({ ...asking, ...(cliPath !== undefined && { cliPath }) })),
      findCodex: yield* Effect.cached(findCodex({ ...asking, ...(codexPath !== undefined && { codexPath }) })),
      roundTrip: (cli, transport) =>
        roundTrip({ cli, transport, timeoutMs: options.timeoutMs, path: env["PATH"] ?? "" }),
      state: Effect.sync(() => inspectState(defaultData(env))),
      port: lookAtPort,
      hasLogin: Effect.sync(() => existsSync(join(configFolder(env), ".credentials.json"))),
      packageVersion: (name) => Effect.sync(() => packageVersion(name)),
      codexTrip: (cli) => codexTrip(cli, options.timeoutMs),
      sandboxTrip: (cli) => sandboxTrip(cli, options.timeoutMs),
      hasCodexLogin: Effect.sync(() => existsSync(join(codexFolder(env), "auth.json"))),
      codexConfig: Effect.sync(() => codexConfig(env)),
      codexRules: Effect.sync(() => codexRules(join(codexFolder(env), "rules")))
    }
  })

const require = createRequire(import.meta.url)

type Manifest = Readonly<Record<string, unknown>>

const manifestAt = (path: string): Manifest | undefined => {
  const manifest: unknown = JSON.parse(readFileSync(require.resolve(path), "utf8"))
  return isRecord(manifest) ? manifest : undefined
}

const nodeOf = (manifest: Manifest | undefined): string => {
  const engines = manifest?.["engines"]
  return isRecord(engines) ? String(engines["node"]) : ""
}

const configFolder = (env: Readonly<Record<string, string | undefined>>): string =>
  env["CLAUDE_CONFIG_DIR"] || join(env["HOME"] || homedir(), ".claude")

const codexFolder = (env: Readonly<Record<string, string | undefined>>): string =>
  env["CODEX_HOME"] || join(env["HOME"] || homedir(), ".codex")

const codexConfig = (
  env: Readonly<Record<string, string | undefined>>
): { readonly path: string; readonly text: string | undefined } => {
  const path = join(codexFolder(env), "config.toml")
  try {
    return { path, text: readFileSync(path, "utf8") }
  } catch {
    return { path, text: undefined } // nobody has set anything, or nobody may read it
  }
}

/** Those that nobody may read are none: Codex, who is the same person, cannot read them either. */
const codexRules = (folder: string): ReadonlyArray<{ readonly path: string; readonly text: string }> => {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".rules"))
      .sort()
      .map((name) => ({ path: join(folder, name), text: readFileSync(join(folder, name), "utf8") }))
  } catch {
    return []
  }
}

/** Its manifest is read where Node would look: not every package lets it be imported. */
const packageVersion = (name: string): string | undefined => {
  const file = (require.resolve.paths(name) ?? [])
    .map((folder) => join(folder, name, "package.json"))
    .find((candidate) => existsSync(candidate))
  return file === undefined ? undefined : String(manifestAt(file)?.["version"])
}

const lookAtPort = (port: number): Effect.Effect<PortLook> =>
  Effect.callback((resume) => {
    const server = createServer()
    server.once("error", (error) =>
      resume(Effect.succeed({ free: false, code: "code" in error ? String(error.code) : error.message }))
    )
    server.listen(port, "127.0.0.1", () => server.close(() => resume(Effect.succeed({ free: true }))))
    return Effect.sync(() => server.close())
  })
