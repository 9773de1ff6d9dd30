/** `agentwire tape`: looks into tapes, checks them, compares them and takes secrets out. */
import type { Command, ExitCode, Input } from "../Command.ts"
import type { Console } from "../Console.ts"
import { describe, Failure, UsageFailure } from "../Failure.ts"
import { maxLineOption, maxSizeOption } from "../Limits.ts"
import { didYouMean } from "../Nearest.ts"

interface Action {
  /** The files it takes, as the usage names them. */
  readonly files: ReadonlyArray<string>
  /** May be given more files, and is then run on each. */
  readonly each?: true
  /** The options that are its own. */
  readonly options: ReadonlyArray<string>
  readonly run: (files: ReadonlyArray<string>, input: Input, console: Console) => Promise<ExitCode>
}

/** What it can do. Each loads only when it is asked for. */
const actions: Readonly<Record<string, Action>> = {
  info: {
    files: ["FILE"],
    each: true,
    options: ["json", "max-line"],
    run: async ([file = ""], input, console) => (await import("./tape/info.ts")).info(file, input, console)
  },
  cat: {
    files: ["FILE"],
    options: ["json", "from", "max-line"],
    run: async ([file = ""], input, console) => (await import("./tape/cat.ts")).cat(file, input, console)
  },
  verify: {
    files: ["FILE"],
    each: true,
    options: ["json", "redact", "explain", "max-line"],
    run: async ([file = ""], input, console) => (await import("./tape/verify.ts")).verify(file, input, console)
  },
  diff: {
    files: ["A", "B"],
    options: ["json", "join-deltas", "no-stderr", "max-line", "max-size"],
    run: async ([left = "", right = ""], input, console) =>
      (await import("./tape/diff.ts")).diff(left, right, input, console)
  },
  redact: {
    files: ["FILE"],
    options: ["json", "output", "redact", "explain", "max-line", "max-size"],
    run: async ([file = ""], input, console) => (await import("./tape/redact.ts")).redact(file, input, console)
  }
}

/** The command. */
export const tape: Command = {
  name: "tape",
  summary: "look into a tape, check it, compare two, take secrets out",
  usage: "info|verify FILE..., cat|redact FILE, or diff A B [OPTIONS]",
  details: `info    the header, how long it took, how many frames and messages of each type
cat     what happened, line by line; with --json the lines as they were on the wire
verify  whether the structure and the hash are right and no secret is inside that redact
        would replace; also says what was looked for
diff    what differs between two tapes; ids are renamed one to one, times, costs and
        token counts are not compared
redact  writes the tape without its secrets: API keys, tokens, passwords, cookies, private
        keys, e-mail addresses, your home folder and name, and what --redact adds

With --json, info, verify, diff and redact write one object for each FILE or pair:
info    {"file","tape","agentwire","runtime","transport","argv","startedAt","redacted",
        "durationMs","complete","hash","wrong","frames","messages"}
verify  {"file","frames","faults":[{"where","fault"}],"more"?,"lookedFor":{"kinds","rules",
        "patterns"},"explained"?}: more is how many faults there are besides the first
        10,000
diff    {"left","right","differences":[{"_tag":"OnlyLeft"|"OnlyRight"|"Changed","name",
        "left"?,"right"?,"value"?,"differences"?:[{"path","expected","actual"}]}]}, where
        left and right are numbers of frames
redact  {"file","output","replaced","explained"?}: how many secrets of each kind
        where explained is [{"kind","rule","because","placeholder","frame","place"}]

Files may be gzipped; what is written to a name that ends in .gz is. info, cat and verify
read a tape of any size; diff and redact hold it in memory, up to --max-size.
What redact writes only you can read, as all tapes; a link is replaced, not followed.

Exit code 0 when all is well, 1 when verify or diff found something, 2 when a file
cannot be read or is not a tape.`,
  options: {
    json: { type: "boolean", summary: "write JSON; with cat, the lines of the wire themselves" },
    from: { type: "string", value: "agent|host", summary: "cat: one side only" },
    "join-deltas": { type: "boolean", summary: "diff: ignore where deltas were cut" },
    "no-stderr": { type: "boolean", summary: "diff: ignore stderr" },
    output: { type: "string", short: "o", value: "OUT", summary: "redact: the file to write (default: in place)" },
    redact: {
      type: "string",
      value: "PATTERN",
      multiple: true,
      summary: "redact, verify: a regular expression to hide, too"
    },
    explain: { type: "boolean", summary: "redact, verify: what gave each secret away, and where it was" },
    "max-line": maxLineOption,
    "max-size": { ...maxSizeOption, summary: `diff, redact: ${maxSizeOption.summary}` }
  },
  choices: Object.keys(actions),
  run: async (input, console) => {
    const [name = "", ...files] = input.positionals
    const known = Object.keys(actions)
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (action === undefined)
      throw new UsageFailure(
        name === ""
          ? `tape needs one of ${known.join(", ")}.`
          : `tape cannot ${name}. There are: ${known.join(", ")}.${didYouMean(name, known)}`
      )
    if (action.each === true ? files.length === 0 : files.length !== action.files.length)
      throw new UsageFailure(`tape ${name} takes ${action.files.join(" and ")}, not ${files.length} files.`)
    const given = [...Object.keys(input.values), ...Object.keys(input.lists)]
    const foreign = given.find((option) => Object.hasOwn(tape.options, option) && !action.options.includes(option))
    if (foreign !== undefined) throw new UsageFailure(`tape ${name} has no option --${foreign}.`)
    return action.each === true ? onEach(action, files, input, console) : action.run(files, input, console)
  }
}

/** The worst that comes of any file; one that cannot be read does not keep the others from being looked at. */
const onEach = async (
  action: Action,
  files: ReadonlyArray<string>,
  input: Input,
  console: Console
): Promise<ExitCode> => {
  let worst: ExitCode = 0
  for (const file of files) {
    let code: ExitCode = 2
    try {
      code = await action.run([file], input, console)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      console.err(describe(error, input.values["debug"] === true))
    }
    if (code > worst) worst = code
  }
  return worst
}
