/** Which rules and scenarios are asked for, from `--only` and `--skip`. */
import { UsageFailure } from "../Failure.ts"
import { type Pattern, patternOf } from "./Pattern.ts"

/** What `--only` and `--skip` say. */
export interface Selection {
  /** Whether the findings of a rule are reported. */
  readonly rule: Pattern
  /** The scenarios to run; undefined when all are. */
  readonly scenarios: ReadonlyArray<string> | undefined
  /** Whether an id, of either kind, is meant itself. */
  readonly id: Pattern
}

/** The ids there are. */
export interface Known {
  readonly rules: ReadonlyArray<string>
  readonly scenarios: ReadonlyArray<string>
}

/**
 * Reads the options. A pattern that fits a scenario selects scenarios and leaves the rules as they are; one that does
 * not selects rules. Throws a {@link UsageFailure} for one that fits nothing, and when no scenario is left.
 */
export const selectionOf = (
  only: ReadonlyArray<string>,
  skip: ReadonlyArray<string>,
  { rules, scenarios }: Known
): Selection => {
  const read = (option: string, texts: ReadonlyArray<string>): Patterns => {
    const found = { rules: [] as Pattern[], scenarios: [] as Pattern[] }
    for (const text of texts.flatMap((list) => list.split(",")).map((one) => one.trim())) {
      if (text === "") continue
      const pattern = patternOf(text)
      if (scenarios.some(pattern)) found.scenarios.push(pattern)
      else if (rules.some(pattern)) found.rules.push(pattern)
      else throw nothing(option, text, scenarios.length > 0)
    }
    return found
  }
  const [wanted, unwanted] = [read("only", only), read("skip", skip)]
  const chosen = scenarios.filter(within(wanted.scenarios, unwanted.scenarios))
  if (scenarios.length > 0 && chosen.length === 0)
    throw new UsageFailure("--only and --skip together leave no scenario.")
  return {
    rule: within(wanted.rules, unwanted.rules),
    scenarios: chosen.length === scenarios.length ? undefined : chosen,
    id: within([...wanted.rules, ...wanted.scenarios], [...unwanted.rules, ...unwanted.scenarios])
  }
}

interface Patterns {
  readonly rules: ReadonlyArray<Pattern>
  readonly scenarios: ReadonlyArray<Pattern>
}

const within =
  (inside: ReadonlyArray<Pattern>, outside: ReadonlyArray<Pattern>): Pattern =>
  (id) =>
    (inside.length === 0 || inside.some((pattern) => pattern(id))) && !outside.some((pattern) => pattern(id))

const nothing = (option: string, text: string, live: boolean): UsageFailure =>
  new UsageFailure(
    `--${option} ${text} fits no rule${live ? " and no scenario" : ""}. \`agentwire conform --list\` has them all.`
  )
