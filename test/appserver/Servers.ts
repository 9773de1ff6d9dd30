/**
 * The servers that clients of Codex are put in front of: the real one, and ours before each runtime. Each is a program
 * called `codex` in a home of its own, whatever the environment is that a client starts it in.
 */
import { chmod, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { installCli, installCodex } from "@agentwire/fixtures"
import { schemaVersion } from "@agentwire/protocol/codex"
import type { Beat } from "../../packages/cli/src/conform/appserver/Script.ts"
import { type Lane, makeStage, type Stage, stageToken } from "../../packages/cli/src/conform/appserver/Stage.ts"
import { startListening } from "../../packages/cli/src/conform/appserver/Wire.ts"
import { agentwireCommand } from "../../packages/cli/test/AgentwireCommand.ts"

/** A server to put clients in front of. */
export interface ServerKind {
  readonly name: string
  /** The words that start it, but for what a client adds to `codex app-server`. */
  readonly command: () => Promise<readonly [program: string, ...args: ReadonlyArray<string>]>
}

/** A place with a server. */
export interface Place {
  readonly stage: Stage
  /** The program that clients start as `codex`. */
  readonly codexPath: string
  /** Starts it as a server of WebSockets. */
  readonly listen: () => Promise<{ readonly url: string; readonly close: () => Promise<void> }>
}

/** The real Codex. */
export const realCodex: ServerKind = {
  name: "Codex itself",
  command: async () => [(await installCodex(schemaVersion)).program, "app-server"]
}

/** A client may ask for an agent that asks for nothing, as the real Codex lets it. */
const mayWiden = ["--session-options", "permissionMode"]

/** Ours, in front of the real Claude Code. */
export const claudeServer: ServerKind = {
  name: "agentwire with Claude Code",
  command: async () => {
    const { args, program } = await installCli(claudeVersion)
    return [...agentwireCommand, "app-server", "--cli", args[0] ?? program]
  }
}

/** Ours, in front of the real Codex. */
export const codexServer: ServerKind = {
  name: "agentwire with Codex",
  command: async () => {
    const { program } = await installCodex(schemaVersion)
    return [...agentwireCommand, "app-server", ...mayWiden, "--runtime", "codex", "--cli", program]
  }
}

/** The version of Claude Code behind ours. */
const claudeVersion = "2.1.325"

/** Every server: the first one is what the others are measured by. */
export const serverKinds: ReadonlyArray<ServerKind> = [realCodex, claudeServer, codexServer]

/** The version that a program called `codex` says it is. */
const versionWords = `codex-cli ${schemaVersion}`

/** Makes a place where the model says this, and tidies it up afterwards. */
export const withServer = async <A>(
  kind: ServerKind,
  model: { readonly beats?: ReadonlyArray<Beat>; readonly lanes?: ReadonlyArray<Lane> },
  use: (place: Place) => Promise<A>
): Promise<A> => {
  const stage = await makeStage(model.beats ?? [], model.lanes)
  try {
    const words = await kind.command()
    const bin = join(stage.folder, "bin")
    await mkdir(bin)
    const codexPath = join(bin, "codex")
    await writeFile(codexPath, shimOf(words, stage.env))
    await chmod(codexPath, 0o755)
    const listen = async () => {
      const launch = { program: codexPath, args: ["app-server"], cwd: stage.project, env: stage.env }
      const started = await startListening(launch, stageToken)
      if ("failed" in started) throw new Error(`${kind.name}: ${started.failed}`)
      return started
    }
    return await use({ stage, codexPath, listen })
  } finally {
    await stage.close()
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** A shell script that starts the server in its own environment, and nothing else. */
const shimOf = (words: ReadonlyArray<string>, env: Stage["env"]): string => {
  const variables = Object.entries(env).map(([name, value]) => quoted(`${name}=${value}`))
  return [
    "#!/bin/sh",
    `case "$1" in --version) echo ${quoted(versionWords)}; exit ;; app-server) shift ;; *) exit 2 ;; esac`,
    `exec env -i ${variables.join(" ")} ${words.map(quoted).join(" ")} "$@"`,
    ""
  ].join("\n")
}
