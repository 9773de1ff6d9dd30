/** Every way in which a command reads a file that somebody else may have written. */
import { linkSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { hostileSession } from "./Projects.ts"

/** One way to read a file. */
export interface HostileCommand {
  readonly name: string
  /** The command line; a folder for what it needs besides. */
  readonly args: (file: string, folder: string) => ReadonlyArray<string>
}

const reading = (...words: ReadonlyArray<string>): HostileCommand => ({
  name: words.join(" ").replace(/ (?:\.\/)?FILE/, ""),
  args: (file) => words.map((word) => (word === "FILE" ? file : word === "./FILE" ? resolve(file) : word))
})

/** A folder of projects in which the file is a session: the file itself, or a link where it is none. */
const projectsWith = (file: string, folder: string): string => {
  const projects = mkdtempSync(join(folder, "projects-"))
  mkdirSync(join(projects, "-p"))
  const session = join(projects, "-p", "hostile.jsonl")
  try {
    linkSync(file, session)
  } catch {
    symlinkSync(file, session)
  }
  return projects
}

/** A file of our own beside the hostile one. */
const beside = (folder: string, name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const event = '{"type":"RUN_STARTED","threadId":"t","runId":"r"}\n'

/** All of them. */
export const hostileCommands: ReadonlyArray<HostileCommand> = [
  reading("decode", "FILE"),
  reading("tape", "info", "FILE"),
  reading("tape", "cat", "FILE"),
  reading("tape", "cat", "FILE", "--json"),
  reading("tape", "verify", "FILE"),
  reading("tape", "diff", "FILE", "FILE"),
  { name: "tape redact", args: (file, folder) => ["tape", "redact", file, "-o", join(folder, "redacted")] },
  reading("history", "show", "./FILE"),
  reading("history", "show", "./FILE", "--json", "--limit", "5"),
  reading("history", "export", "./FILE", "--format", "tape"),
  reading("history", "export", "./FILE", "--format", "markdown"),
  { name: "history list", args: (file, folder) => ["history", "list", "--projects", projectsWith(file, folder)] },
  {
    name: "history show of an id",
    args: (file, folder) => ["history", "show", "hostile", "--projects", projectsWith(file, folder)]
  },
  reading("translate", "FILE"),
  reading("translate", "FILE", "--messages"),
  reading("conform", "FILE"),
  {
    name: "conform --source",
    args: (file, folder) => ["conform", beside(folder, "events", event), "--source", file]
  },
  { name: "conform --input", args: (file, folder) => ["conform", beside(folder, "events", event), "--input", file] },
  reading("conform", "--merge", "FILE"),
  reading("replay", "FILE"),
  { name: "replay --as host", args: (file) => ["replay", file, "--as", "host", "--idle-limit", "50", "--", "true"] },
  { name: "serve --replay", args: (file) => ["serve", "--replay", file, "--port", "0", "--policy", "/none"] },
  reading("model", "--scenario", "FILE")
]

/** The commands that look for sessions in a folder of projects. */
export const hostileHistory: ReadonlyArray<HostileCommand> = [
  ["list"],
  ["list", "--json", "--limit", "1000000"],
  ["list", "--before", hostileSession],
  ["list", "--cwd", "/p"],
  ["show", hostileSession],
  ["show", "1", "--json"],
  ["export", hostileSession, "--format", "tape"],
  ["export", hostileSession, "--format", "json"]
].map((words) => ({
  name: `history ${words.map((word) => (word === hostileSession ? "ID" : word)).join(" ")} --projects`,
  args: (projects) => ["history", ...words, "--projects", projects]
}))
