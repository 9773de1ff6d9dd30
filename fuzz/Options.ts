/** The arguments of `npm run fuzz`. */
import { parseArgs } from "node:util"
import { didYouMean } from "../packages/cli/src/Nearest.ts"
import type { Target } from "./Target.ts"

/** What was asked for. */
export type FuzzOrder =
  | { readonly _tag: "Help" | "List" }
  | { readonly _tag: "Wrong"; readonly message: string }
  | { readonly _tag: "Fuzz"; readonly target: string; readonly minutes: number; readonly seed: number }

/** What `--help` says. */
export const help = `npm run fuzz -- TARGET [--minutes N] [--seed S]
npm run fuzz -- --list

Gives one part of agentwire inputs that nobody would write, and holds it to its law.
Begins with fuzz/corpus/TARGET/ and changes what is there; what shows something new is
changed further. An input that breaks the law, or takes too long, is made small, printed
and kept in fuzz/corpus/TARGET/found-*.input, which npm test runs from then on.

  --minutes N   how long; default 1, fractions are fine
  --seed S      a whole number that repeats a search; default: by the clock, and printed
  --list        the targets and their laws

Ctrl-C ends it early, with the figures so far.
Exit code: 0 when the law held, 1 when it was broken, 2 for wrong arguments.`

const flags = {
  minutes: { type: "string" },
  seed: { type: "string" },
  list: { type: "boolean" },
  help: { type: "boolean", short: "h" }
} as const

/** Reads the arguments. */
export const readOptions = (
  args: ReadonlyArray<string>,
  targets: ReadonlyArray<Pick<Target, "name">>,
  clockSeed: number
): FuzzOrder => {
  const wrong = (message: string): FuzzOrder => ({ _tag: "Wrong", message })
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(args)
  } catch (error) {
    return wrong(`${error instanceof Error ? error.message : String(error)}.`)
  }
  const { positionals, values } = parsed
  if (values.help === true) return { _tag: "Help" }
  if (values.list === true) return { _tag: "List" }
  const [target, ...more] = positionals
  if (target === undefined) return wrong("Which target? --list names them.")
  if (more.length > 0) return wrong("One target at a time.")
  const names = targets.map(({ name }) => name)
  if (!names.includes(target))
    return wrong(`There is no target "${target}".${didYouMean(target, names)} --list names them.`)
  const minutes = Number(values.minutes ?? 1)
  if (!(minutes > 0 && minutes <= 10_000)) return wrong("--minutes takes a number above 0.")
  const seed = Number(values.seed ?? clockSeed)
  if (!(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32))
    return wrong("--seed takes a whole number from 0 to 4294967295.")
  return { _tag: "Fuzz", target, minutes, seed }
}

const parse = (args: ReadonlyArray<string>) => parseArgs({ args: [...args], options: flags, allowPositionals: true })
