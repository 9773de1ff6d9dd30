/**
 * Completions for bash, 3.2 (that of macOS) and later, without the package bash-completion.
 *
 * Where it finds nothing, bash completes the names of files.
 */
import type { CommandWords, OptionWord } from "../Completions.ts"

/** The script. */
export const bash = (commands: ReadonlyArray<CommandWords>): string => `\
# Completions of agentwire for bash. Use them with: source <(agentwire completions bash)
_agentwire() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} word
  COMPREPLY=()
  # To bash the = of --option=value is a word.
  if [ "$current" = = ]; then current=
  elif [ "$previous" = = ]; then previous=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${quoted([...commands.map(({ name }) => name), "--help", "--version"])} -- "$current"))
    return
  fi
  # What stands behind -- belongs to another program.
  for word in "\${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
    [ "$word" = -- ] && return
  done
  case "$command $previous" in
${commands.flatMap(valueCases).join("\n")}
  esac
  case "$command $current" in
${commands.map(optionCase).join("\n")}
${commands.flatMap(argumentCase).join("\n")}
  esac
}
complete -o default -F _agentwire agentwire
`

const quoted = (words: ReadonlyArray<string>): string => `'${words.join(" ").replaceAll("'", "'\\''")}'`

const reply = (words: ReadonlyArray<string>): string => `COMPREPLY=($(compgen -W ${quoted(words)} -- "$current"))`

const flags = ({ name, short }: OptionWord): ReadonlyArray<string> =>
  short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`]

/** Behind an option with a value comes the value, and nothing else. */
const valueCases = ({ name: command, options }: CommandWords): ReadonlyArray<string> =>
  options.flatMap((option) => {
    const { value } = option
    if (value._tag === "None") return []
    const pattern = flags(option)
      .map((flag) => `'${command} ${flag}'`)
      .join("|")
    return [`    ${pattern}) ${value._tag === "Choice" ? `${reply(value.choices)}; ` : ""}return ;;`]
  })

const optionCase = ({ name, options }: CommandWords): string =>
  `    '${name} -'*) ${reply(options.map((option) => `--${option.name}`))} ;;`

/** The first argument is one of a list; behind it there are files. */
const argumentCase = ({ choices, name }: CommandWords): ReadonlyArray<string> =>
  choices === undefined ? [] : [`    '${name} '*) [ "$COMP_CWORD" -eq 2 ] && ${reply(choices)} ;;`]
