/** Completions for fish. */
import type { CommandWords, OptionWord, ValueKind } from "../Completions.ts"

/** The script. */
export const fish = (commands: ReadonlyArray<CommandWords>): string =>
  `${[
    "# Completions of agentwire for fish. Use them with: agentwire completions fish | source",
    ...commands.map(
      ({ name, summary }) => `complete -c agentwire -f -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`
    ),
    ...commands.flatMap(linesOf)
  ].join("\n")}\n`

const quote = (text: string): string => `'${text.replace(/['\\]/g, "\\$&")}'`

const linesOf = ({ choices, name, options }: CommandWords): ReadonlyArray<string> => {
  const complete = `complete -c agentwire -n '__fish_seen_subcommand_from ${name}'`
  // The first argument is one of a list; behind it files are completed again.
  const choose = `complete -c agentwire -n '__fish_seen_subcommand_from ${name}; and test (count (commandline -opc)) -eq 2'`
  return [
    ...(choices === undefined ? [] : [`${choose} -f -a ${quote(choices.join(" "))}`]),
    ...options.map((option) => `${complete} ${optionFlags(option)}`)
  ]
}

const optionFlags = ({ name, short, summary, value }: OptionWord): string =>
  [`-l ${name}`, ...(short === undefined ? [] : [`-s ${short}`]), ...valueFlags(value), `-d ${quote(summary)}`].join(
    " "
  )

/** `-r` needs a value, which may be a file; with `-x` it is none. */
const valueFlags = (value: ValueKind): ReadonlyArray<string> => {
  switch (value._tag) {
    case "None":
      return []
    case "Choice":
      return ["-x", `-a ${quote(value.choices.join(" "))}`]
    case "File":
      return ["-r"]
    case "Folder":
      return ["-x", "-a '(__fish_complete_directories)'"]
    case "Free":
      return ["-x"]
  }
}
