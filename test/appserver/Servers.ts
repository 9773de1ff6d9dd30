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
import { makeTap } from "./Tap.ts"

/** A server to put clients in front of. */
export interface ServerKind {
  readonly name: string
  /** The words that start it, but for what a client adds to `codex app-server`. */
  readonly command: () => Promise<readonly [program: string, ...args: ReadonlyArray<string>]>
  /** What is in its environment besides. */
  readonly env?: Readonly<Record<string, string>>
}

/** A place with a server. */
export interface Place {
  readonly stage: Stage
  /** The program that clients start as `codex`. */
  readonly codexPath: string
  /** Starts it as a server of WebSockets. */
  readonly listen: () => Promise<{ readonly url: string; readonly close: () => Promise<void> }>
  /** What of all that it has said does not fit the schema that Codex prints, so far. */
  readonly misfits: () => Promise<ReadonlyArray<string>>
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
  // Claude Code asks for nothing under root only where it is told that it is shut in.
  env: { IS_SANDBOX: "1" },
  command: async () => {
    const { args, program } = await installCli(claudeVersion)
    return [...agentwireCommand, "app-server", ...mayWiden, "--cli", args[0] ?? program]
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
    const tap = await makeTap(join(stage.folder, "heard"))
    await writeFile(codexPath, shimOf(words, { ...stage.env, ...kind.env }, tap.folder))
    await chmod(codexPath, 0o755)
    const listen = async () => {
      const launch = { program: codexPath, args: ["app-server"], cwd: stage.project, env: stage.env }
      const started = await startListening(launch, stageToken)
      if ("failed" in started) throw new Error(`${kind.name}: ${started.failed}`)
      const relay = await tap.relay(started.url)
      return {
        url: relay.url,
        close: async () => {
          await relay.close()
          await started.close()
        }
      }
    }
    return await use({ stage, codexPath, listen, misfits: tap.misfits })
  } finally {
    await stage.close()
  }
}

/** How many messages that do not fit are told. */
const maxMisfits = 5

/** What a server has said that does not fit Codex's schema, as a case that no other server has; none where all fits. */
export const misfitsOf = async (
  place: Place
): Promise<ReadonlyArray<{ readonly name: string; readonly outcome: string }>> => {
  const misfits = await place.misfits()
  return misfits.length === 0
    ? []
    : [{ name: "messages", outcome: `${misfits.length} do not fit: ${misfits.slice(0, maxMisfits).join(" ")}` }]
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/**
 * A shell script that starts the server in its own environment, and nothing else. What both sides say over its standard
 * streams goes into files of a folder, too.
 */
const shimOf = (words: ReadonlyArray<string>, env: Stage["env"], heard: string): string => {
  const variables = Object.entries(env).map(([name, value]) => quoted(`${name}=${value}`))
  const kept = (side: string) => `tee ${quoted(heard)}/$$.${side} 2>/dev/null`
  return [
    "#!/bin/bash",
    `case "$1" in --version) echo ${quoted(versionWords)}; exit ;; app-server) shift ;; *) exit 2 ;; esac`,
    `exec env -i ${variables.join(" ")} ${words.map(quoted).join(" ")} "$@" < <(${kept("client")}) > >(${kept("server")})`,
    ""
  ].join("\n")
}
