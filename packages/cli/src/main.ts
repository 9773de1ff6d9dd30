/**
 * Finds the command, runs it, and turns every outcome into an exit code: 0 fine, 1 found
 * something, 2 could not do it. An error is one readable paragraph on stderr; the stack
 * trace is for `--debug`.
 */
import { commandHelp, type ExitCode, parse } from "./Command.ts"
import { type Console, processConsole, ReaderGone } from "./Console.ts"
import { commands } from "./commands/index.ts"
import { describe, UsageFailure } from "./Failure.ts"
import { overview } from "./help/Overview.ts"
import { didYouMean } from "./Nearest.ts"
import { version } from "./Version.ts"

/** Runs a command line. */
export const main = async (args: ReadonlyArray<string>, console: Console = processConsole()): Promise<ExitCode> => {
  try {
    return await dispatch(args, console)
  } catch (error) {
    if (error instanceof ReaderGone) return 0
    const [name = ""] = args
    console.err(describe(error, args.includes("--debug"), Object.hasOwn(commands, name) ? name : undefined))
    return 2
  } finally {
    console.progress("")
  }
}

const dispatch = async (args: ReadonlyArray<string>, console: Console): Promise<ExitCode> => {
  const [name, ...rest] = args
  if (name === "--version" || name === "-V") {
    await console.out(version())
    return 0
  }
  if (name === undefined || name === "--help" || name === "-h") {
    await console.out(overview(commands))
    return 0
  }
  const command = await find(name)
  const input = parse(command, rest)
  if (input.values["help"] === true) {
    await console.out(commandHelp(command))
    return 0
  }
  return command.run(input, console)
}

const find = (name: string) => {
  const row = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (row !== undefined) return row.load()
  const known = Object.keys(commands)
  throw new UsageFailure(
    name.startsWith("-")
      ? `There is no option ${name} before the command.${didYouMean(name, ["--help", "--version"])}`
      : `There is no command "${name}". There are: ${known.join(", ")}.${didYouMean(name, known)}`
  )
}
