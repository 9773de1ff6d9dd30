/** The shell commands that a document shows. */
import { sweeping } from "../../packages/fixtures/test/Sweep.ts"

/** A command as it is printed, and the line it is on. */
export interface Shown {
  readonly line: number
  readonly command: string
  /** What the comment behind it says. */
  readonly comment: string
}

/** The commands of each `sh` block of a document, in order. A `\` joins lines, and so does an open quote or heredoc. */
export const shellBlocks = (markdown: string): ReadonlyArray<ReadonlyArray<Shown>> => {
  const blocks: Array<ReadonlyArray<Shown>> = []
  const lines = markdown.split("\n")
  for (let start = 0; start < lines.length; start++) {
    if (lines[start] !== "```sh") continue
    const end = lines.indexOf("```", start)
    blocks.push(commandsOf(lines.slice(start + 1, end), start + 2))
    start = end
  }
  return blocks
}

/** What a command may end with: 0, or what its comment says. */
export const expectedCode = ({ comment }: Shown): number => Number(/exit code (\d)/.exec(comment)?.[1] ?? 0)

/** Commands of the repository itself: what they do is tested where it is done. */
export const isOwnScript = ({ command }: Shown): boolean =>
  /^(?:npm (?:start|test|run|install|ci)\b|git clone\b|cd\b)/.test(command)

/** A command without the `npx` that it may begin with. */
export const withoutNpx = ({ command }: Shown): string => command.replace(/^npx /, "")

const commandsOf = (lines: ReadonlyArray<string>, first: number): ReadonlyArray<Shown> => {
  const commands: Array<Shown> = []
  let open = ""
  let line = first
  for (const [index, text] of lines.entries()) {
    if (open === "") line = first + index
    open += open === "" ? text : `\n${text}`
    if (isOpen(open)) continue
    const [, command = "", comment = ""] = /^([\s\S]*?)(?:\s+#\s(.*)|^#\s(.*))?$/.exec(open) ?? []
    if (command.trim() !== "" && !command.startsWith("#")) commands.push({ line, command: command.trim(), comment })
    open = ""
  }
  if (open !== "") throw new Error(`The command of line ${line} does not end: ${open}`)
  return commands
}

const isOpen = (text: string): boolean => {
  if (text.endsWith("\\")) return true
  const heredoc = /<<'?(\w+)'?/.exec(text)?.[1]
  if (heredoc !== undefined && !text.endsWith(`\n${heredoc}`)) return true
  // A comment may have an apostrophe.
  const unclosed = text
    .replace(/\\./g, "")
    .replace(/"[^"]*"|'[^']*'/g, "")
    .replace(/(?:^|\s)#\s.*$/gm, "")
  return unclosed.includes("'")
}

/** Commands that play dozens of scenarios to a CLI, and which of them are enough outside of a sweep. */
const long: ReadonlyArray<readonly [command: RegExp, enough: string]> = [
  [/agentwire drift --cli "\$\(which claude\)"$/, "plain_text tool_denied"],
  [/agentwire conform --cli "\$\(which claude\)"$/, "--only CLI-plain_text --only CLI-tool_denied"]
]

/** A command as a test plays it: whole in a sweep, otherwise as much of it as is enough. */
export const asPlayed = (command: string): string => {
  const enough = sweeping ? undefined : long.find(([pattern]) => pattern.test(command))?.[1]
  return enough === undefined ? command : `${command} ${enough}`
}
