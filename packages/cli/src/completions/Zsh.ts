/** Completions for zsh. */
import type { CommandWords, OptionWord, ValueKind } from "../Completions.ts"

/** The script: a file `_agentwire` in the fpath, or something to source. */
export const zsh = (commands: ReadonlyArray<CommandWords>): string => `\
#compdef agentwire
# Completions of agentwire for zsh. Use them with: source <(agentwire completions zsh)
_agentwire() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    ${quote(`${name}:${summary.replaceAll(":", "\\:")}`)}`).join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe -t commands command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${commands.map(commandCase).join("\n")}
  esac
}
if [ "$funcstack[1]" = _agentwire ]; then
  _agentwire "$@"
else
  compdef _agentwire agentwire
fi
`

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const commandCase = ({ choices, name, options }: CommandWords): string => {
  const first = choices === undefined ? [] : [`1:argument:(${choices.join(" ")})`]
  const specs = [...options.flatMap(optionSpecs), ...first, "*:file:_files"].map((spec) => `      ${quote(spec)}`)
  return `    ${name})\n      _arguments \\\n${specs.join(" \\\n")}\n      ;;`
}

const optionSpecs = ({ multiple, name, short, summary, value }: OptionWord): ReadonlyArray<string> =>
  [`--${name}`, ...(short === undefined ? [] : [`-${short}`])].map(
    (flag) =>
      `${multiple ? "*" : ""}${flag}${value._tag !== "None" && flag.startsWith("--") ? "=" : ""}[${summary.replace(/[[\]\\]/g, "\\$&")}]${valueSpec(value)}`
  )

/** The action for what comes behind an option. */
const valueSpec = (value: ValueKind): string => {
  switch (value._tag) {
    case "None":
      return ""
    case "Choice":
      return `:value:(${value.choices.join(" ")})`
    case "File":
      return ":file:_files"
    case "Folder":
      return ":folder:_files -/"
    case "Free":
      return ":value: "
  }
}
