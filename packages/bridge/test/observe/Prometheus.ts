/**
 * A strict reader of the Prometheus text format 0.0.4: it throws at whatever a scraper would not take.
 */

/** A value of a series. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const labelName = /[a-zA-Z_]\w*/y
const labelText = /"((?:[^"\\\n]|\\["\\n])*)"/y
const number = /^(?:[+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)|NaN)$/i

const labelsOf = (text: string): Readonly<Record<string, string>> => {
  const labels: Record<string, string> = {}
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found === null) throw new Error(`bad labels at ${at}: ${text}`)
    at = pattern.lastIndex
    return found
  }
  while (at < text.length) {
    if (at > 0) take(/,/y)
    const [name] = take(labelName)
    take(/=/y)
    if (Object.hasOwn(labels, name)) throw new Error(`label twice: ${text}`)
    labels[name] = (take(labelText)[1] ?? "").replaceAll(/\\(.)/g, (_, char: string) => (char === "n" ? "\n" : char))
  }
  return labels
}

const suffixes: Readonly<Record<string, RegExp>> = { histogram: /_(?:bucket|sum|count)$/ }

/** The samples of a text. */
export const parsePrometheus = (text: string): ReadonlyArray<Sample> => {
  if (text !== "" && !text.endsWith("\n")) throw new Error("the last line has no end")
  const samples: Array<Sample> = []
  const types = new Map<string, string>()
  const seen = new Set<string>()
  let family: string | undefined
  for (const line of text.split("\n").slice(0, -1)) {
    const help = /^# HELP ([a-zA-Z_:][\w:]*) (.+)$/.exec(line)
    if (help !== null) continue
    const type = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram|summary|untyped)$/.exec(line)
    if (type !== null) {
      const [, name = "", kind = ""] = type
      if (types.has(name)) throw new Error(`a family comes twice: ${name}`)
      types.set(name, kind)
      family = name
      continue
    }
    const found = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line)
    if (found === null) throw new Error(`not a line: ${line}`)
    const [, name = "", labels = "", value = ""] = found
    const suffix = suffixes[types.get(family ?? "") ?? ""]
    if ((suffix === undefined ? name : name.replace(suffix, "")) !== family) throw new Error(`of no family: ${line}`)
    if (!number.test(value)) throw new Error(`not a number: ${line}`)
    if (seen.has(`${name} ${labels}`)) throw new Error(`a series comes twice: ${line}`)
    seen.add(`${name} ${labels}`)
    samples.push({ name, labels: labelsOf(labels), value: Number(value.replace(/inf/i, "Infinity")) })
  }
  return samples
}

/** What all series of a name with these labels are together. */
export const total = (
  samples: ReadonlyArray<Sample>,
  name: string,
  labels: Readonly<Record<string, string>> = {}
): number =>
  samples
    .filter((each) => each.name === name && Object.entries(labels).every(([key, value]) => each.labels[key] === value))
    .reduce((sum, { value }) => sum + value, 0)
