/** What stands behind an option, read as what it is to be. What cannot be is a {@link UsageFailure}. */
import { UsageFailure } from "./Failure.ts"

/** As the parser gives it. */
export type OptionValue = string | boolean | undefined

/** One of some words; undefined where the option is not given. */
export const oneOf = <const A extends string>(
  name: string,
  known: ReadonlyArray<A>,
  value: OptionValue
): A | undefined => {
  if (value === undefined) return undefined
  const found = known.find((each) => each === value)
  if (found !== undefined) return found
  throw new UsageFailure(`--${name} takes ${alternatives(known)}, not "${value}".`)
}

/** A number without a sign and a fraction; undefined where the option is not given. */
export const wholeNumber = (
  name: string,
  value: OptionValue,
  least: number,
  most = Number.MAX_SAFE_INTEGER
): number | undefined => {
  if (value === undefined) return undefined
  const number = Number(value)
  if (typeof value === "string" && /^\d+$/.test(value) && number >= least && number <= most) return number
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`
  throw new UsageFailure(`--${name} takes a whole number ${range}, not "${value}".`)
}

/** A port to listen on, 0 for any that is free; undefined where the option is not given. */
export const portNumber = (name: string, value: OptionValue): number | undefined => wholeNumber(name, value, 0, 65_535)

/** Names for a sentence: `a, b or c`. */
const alternatives = (names: ReadonlyArray<string>): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`
