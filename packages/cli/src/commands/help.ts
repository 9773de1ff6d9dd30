/** `agentwire help`: the list of commands, the help of one, or a text on what is true of many. */
import { type Command, type CommandTable, commandHelp } from "../Command.ts"
import { UsageFailure } from "../Failure.ts"
import { overview } from "../help/Overview.ts"
import { topics } from "../help/Topics.ts"
import { didYouMean } from "../Nearest.ts"

/** The command that explains these commands. */
export const help = (commands: CommandTable): Command => {
  const known: ReadonlyArray<string> = [...Object.keys(commands), ...Object.keys(topics)]

  const helpOn = async (name: string): Promise<string> => {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (command !== undefined) return commandHelp(await command.load())
    const topic = Object.hasOwn(topics, name) ? topics[name] : undefined
    if (topic !== undefined) return `${name}: ${topic.summary}\n\n${topic.text}`
    throw new UsageFailure(
      `There is no command and no topic "${name}". There are: ${known.join(", ")}.${didYouMean(name, known)}`
    )
  }

  return {
    name: "help",
    summary: "explain a command or a topic",
    usage: "[COMMAND|TOPIC]",
    details: `Without a name, lists the commands and the topics.

Topics: ${Object.keys(topics).join(", ")}.`,
    options: {},
    choices: known,
    run: async ({ positionals }, console) => {
      const [name, ...more] = positionals
      if (more.length > 0) throw new UsageFailure("help takes one COMMAND or TOPIC.")
      await console.out(name === undefined ? overview(commands) : await helpOn(name))
      return 0
    }
  }
}
