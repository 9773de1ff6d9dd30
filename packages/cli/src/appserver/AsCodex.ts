/**
 * A command line of codex, given to the shim: what this bridge answers by itself, and what it hands on.
 */
import { spawn } from "node:child_process"
import { schemaVersion } from "@agentwire/protocol/codex"
import type { ExitCode, Input } from "../Command.ts"
import type { Console } from "../Console.ts"
import { Failure } from "../Failure.ts"
import { exitLike } from "../record/Recorder.ts"

/** What the shim does with a command line. */
export type CodexCommand =
  | { readonly _tag: "Version" }
  | { readonly _tag: "AppServer"; readonly listen: string | undefined }
  | { readonly _tag: "Other" }

/** Options of `codex` and of `codex app-server` that have a value, and no meaning here: they are about Codex itself. */
const withValue = new Set([
  "-c",
  "--config",
  "--enable",
  "--disable",
  "-m",
  "--model",
  "-p",
  "--profile",
  "--startup-client-info"
])

/** What a command line of codex asks for. */
export const readCodexCommand = (words: ReadonlyArray<string>): CodexCommand => {
  let isServer = false
  let listen: string | undefined
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ""
    if (!isServer && (word === "--version" || word === "-V")) return { _tag: "Version" }
    if (word === "--help" || word === "-h") return { _tag: "Other" }
    if (withValue.has(word)) at++
    else if (isServer && word === "--listen") listen = words[++at]
    else if (isServer && word.startsWith("--listen=")) listen = word.slice("--listen=".length)
    else if (!isServer && word === "app-server") isServer = true
    // A command of its own: `codex exec`, `codex app-server proxy`.
    else if (!word.startsWith("-")) return { _tag: "Other" }
  }
  return isServer ? { _tag: "AppServer", listen } : { _tag: "Other" }
}

/** What the shim is run with. */
export interface AsCodexParts {
  readonly input: Omit<Input, "positionals">
  readonly console: Console
  readonly serve: (input: Input) => Promise<ExitCode>
}

/** Does what a command line of codex asks for. */
export const runAsCodex = async (
  words: ReadonlyArray<string>,
  { console, input, serve }: AsCodexParts
): Promise<ExitCode> => {
  const command = readCodexCommand(words)
  switch (command._tag) {
    case "Version":
      console.out(`codex-cli ${schemaVersion}`)
      return 0
    case "AppServer": {
      const { listen = "stdio://" } = command
      return serve({ ...input, positionals: [], values: { ...input.values, listen } })
    }
    case "Other": {
      const real = input.values["real-codex"]
      if (typeof real !== "string")
        throw new Failure(
          "This codex is agentwire's: it has the command app-server and --version. There was no other codex in the PATH when it was written."
        )
      return handOn(real, words)
    }
  }
}

/** Runs the real codex in the place of this process. */
const handOn = async (program: string, words: ReadonlyArray<string>): Promise<ExitCode> => {
  const child = spawn(program, words, { stdio: "inherit" })
  const ended = await new Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>(
    (resolve, reject) => {
      child.once("error", reject)
      child.once("exit", (code, signal) => resolve({ code, signal }))
    }
  )
  return exitLike(ended)
}
