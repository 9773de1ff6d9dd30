/** Every way in which a command reads a file that somebody else may have written. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"

/** One way to read a file. */
export interface HostileCommand {
  readonly name: string
  /** The command line; a folder for what it needs besides. */
  readonly args: (file: string, folder: string) => ReadonlyArray<string>
}

const reading = (...words: ReadonlyArray<string>): HostileCommand => ({
  name: words.join(" ").replace(" FILE", ""),
  args: (file) => words.map((word) => (word === "FILE" ? file : word))
})

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
