/** The command as it is shipped, in one piece, so that tests can start it as a process of its own. */
import { type ChildProcessByStdio, spawn } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable, Writable } from "node:stream"
import { fileURLToPath } from "node:url"
import { Tape } from "@agentwire/protocol"
import { build } from "esbuild"

const cli = fileURLToPath(new URL("../..", import.meta.url))

/** A folder with the built command and room for tapes. */
export interface Bench {
  readonly folder: string
  /** The script of the command. */
  readonly script: string
  /** A path in the folder. */
  readonly path: (name: string) => string
  /** Writes a small program for Node to run as the agent. */
  readonly program: (name: string, source: string) => string
  readonly remove: () => void
}

/** Builds the command into a folder of its own. */
export const makeBench = async (): Promise<Bench> => {
  const folder = mkdtempSync(join(tmpdir(), "agentwire-record-"))
  await build({
    entryPoints: [join(cli, "src", "index.ts")],
    outdir: join(folder, "dist"),
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    outExtension: { ".js": ".mjs" },
    conditions: ["agentwire-source"],
    logLevel: "error",
    // The other commands are not under test here, and are never loaded.
    external: ["decode", "replay", "tape", "model", "drift"].map((name) => `./${name}.ts`),
    banner: { js: 'import { createRequire as r } from "node:module"; const require = r(import.meta.url);' }
  })
  cpSync(join(cli, "package.json"), join(folder, "package.json"))
  const path = (name: string) => join(folder, name)
  return {
    folder,
    script: join(folder, "dist", "index.mjs"),
    path,
    program: (name, source) => {
      writeFileSync(path(name), source)
      return path(name)
    },
    remove: () => {
      for (const child of running) child.kill("SIGKILL")
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** A process with three pipes. */
export type Piped = ChildProcessByStdio<Writable, Readable, Readable>

/** What a process wrote, and how it ended. */
export interface Ended {
  readonly stdout: Buffer
  readonly stderr: Buffer
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** What a test that failed leaves behind. */
const running = new Set<Piped>()

/** Starts a program with three pipes. It is killed with the bench, if it still runs then. */
export const start = (command: ReadonlyArray<string>, env: NodeJS.ProcessEnv = process.env): Piped => {
  const [program = "", ...args] = command
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"], env })
  running.add(child)
  child.once("exit", () => running.delete(child))
  child.stdin.on("error", () => undefined) // a child that reads no more
  return child
}

/** Collects what a process writes until it has ended. */
export const ended = (child: Piped): Promise<Ended> => {
  const stdout: Array<Buffer> = []
  const stderr: Array<Buffer> = []
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk))
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk))
  return new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (code, signal) =>
      resolve({ stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr), code, signal })
    )
  })
}

/** Resolves once a stream has written this, with everything up to there. */
export const until = (stream: Readable, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let seen = ""
    const take = (chunk: Buffer) => {
      seen += chunk.toString("latin1")
      if (!seen.includes(text)) return
      stream.off("data", take)
      resolve(seen)
    }
    stream.on("data", take)
    stream.once("end", () => reject(new Error(`ended without ${JSON.stringify(text)}, after ${JSON.stringify(seen)}`)))
  })

/** A tape from its file, which must be one. */
export const readTape = (file: string): Tape.Tape => {
  const { tape, wrong } = Tape.parseTape(readFileSync(file))
  if (tape === undefined || wrong.length > 0) throw new Error(`no tape: ${JSON.stringify(wrong)}`)
  return tape
}

/** The bytes of a channel, joined. */
export const bytesOf = ({ frames }: Tape.Tape, channel: Tape.Channel): Buffer =>
  Buffer.concat(
    frames.flatMap((frame) => (frame._tag === "Data" && frame.channel === channel ? [Tape.bytesOf(frame.data)] : []))
  )
