/** The shell commands that a document shows. */

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
  return commands
}

const isOpen = (text: string): boolean => {
  if (text.endsWith("\\")) return true
  const heredoc = /<<'?(\w+)'?/.exec(text)?.[1]
  if (heredoc !== undefined && !text.endsWith(`\n${heredoc}`)) return true
  return (
    (
      text
        .replace(/\\./g, "")
        .replace(/"[^"]*"/g, "")
        .match(/'/g) ?? []
    ).length %
      2 ===
    1
  )
}
