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

const mebibyte = 1024 * 1024

/** Units of sizes: a letter alone counts by 1,024. */
const units: Readonly<Record<string, number>> = {
  "": 1,
  K: 1024,
  KB: 1000,
  KIB: 1024,
  M: mebibyte,
  MB: 1_000_000,
  MIB: mebibyte,
  G: 1024 * mebibyte,
  GB: 1_000_000_000,
  GIB: 1024 * mebibyte
}

/** A size above 0, in bytes; undefined where the option is not given. */
export const size = (name: string, value: OptionValue): number | undefined => {
  if (value === undefined) return undefined
  const [, digits = "", unit = ""] = /^(\d{1,12})([KMG](?:i?B)?)?$/i.exec(String(value)) ?? []
  const bytes = Number(digits) * (units[unit.toUpperCase()] ?? 1)
  if (bytes > 0) return bytes
  throw new UsageFailure(`--${name} takes a size in bytes, such as 1048576, 512K, 50MB or 2G, not "${value}".`)
}

const millis: Readonly<Record<string, number>> = { "": 1000, ms: 1, s: 1000, m: 60_000 }

/** A time above 0, in milliseconds, seconds where no unit is given; undefined where the option is not given. */
export const duration = (name: string, value: OptionValue): number | undefined => {
  if (value === undefined) return undefined
  const [, digits = "", unit = ""] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m)?$/.exec(String(value)) ?? []
  const time = Number(digits) * (millis[unit] ?? 1000)
  if (time > 0) return time
  throw new UsageFailure(`--${name} takes a time, such as 30s, 500ms or 2m, not "${value}".`)
}

/** Names for a sentence: `a, b or c`. */
const alternatives = (names: ReadonlyArray<string>): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`
