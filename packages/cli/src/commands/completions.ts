/** `agentwire completions`: a script that makes a shell complete the command line of agentwire. */
import type { Command, CommandTable } from "../Command.ts"
import { type CommandWords, wordsOf } from "../Completions.ts"
import { bash } from "../completions/Bash.ts"
import { fish } from "../completions/Fish.ts"
import { zsh } from "../completions/Zsh.ts"
import { UsageFailure } from "../Failure.ts"

const shells: Readonly<Record<string, (commands: ReadonlyArray<CommandWords>) => string>> = { bash, zsh, fish }

const names = Object.keys(shells)

/** The command that completes these commands. */
export const completions = (commands: CommandTable): Command => ({
  name: "completions",
  summary: "write the completions for a shell",
  usage: names.join("|"),
  details: `Writes a script to standard output. To use it, add to the settings of your shell:

  bash   source <(agentwire completions bash)        in ~/.bashrc
  zsh    source <(agentwire completions zsh)         in ~/.zshrc, after compinit
  fish   agentwire completions fish | source         in ~/.config/fish/config.fish`,
  options: {},
  choices: names,
  run: async ({ positionals }, console) => {
    const [name = "", ...more] = positionals
    const script = Object.hasOwn(shells, name) ? shells[name] : undefined
    if (script === undefined || more.length > 0) throw new UsageFailure(`completions takes one of ${names.join(", ")}.`)
    const all = await Promise.all(Object.values(commands).map(({ load }) => load()))
    await console.out(script(all.map(wordsOf)).trimEnd())
    return 0
  }
})
