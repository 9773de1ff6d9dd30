/** Conversations with the real Codex 0.166.0, and what is changed in them so that they break a rule. */
import { isRecord } from "../../src/wire/Json.ts"
import { type Line, sessions } from "../codex/Sessions.ts"

/** What was said in a recording. */
export const conversation = (scenario: string): ReadonlyArray<Line> => {
  const found = sessions.find(({ name }) => name === `0.166.0 ${scenario} 1`)
  if (found === undefined) throw new Error(`There is no recording of ${scenario}.`)
  return found.lines
}

/** Changes a conversation. */
export type Edit = (lines: ReadonlyArray<Line>) => ReadonlyArray<Line>

/** Which line of the server is meant: its method, or the number of the request it answers; and a text in it. */
export type Which = readonly [method: string | number, text?: string]

const placeOf = (lines: ReadonlyArray<Line>, [wanted, text = ""]: Which): number => {
  const place = lines.findIndex(({ from, text: line }) => {
    if (from !== "server" || !line.includes(text)) return false
    const { id, method } = JSON.parse(line)
    return typeof wanted === "number" ? method === undefined && id === wanted : method === wanted
  })
  if (place < 0) throw new Error(`No line is ${wanted} with "${text}".`)
  return place
}

/** Leaves a line out. */
export const drop =
  (which: Which): Edit =>
  (lines) =>
    lines.toSpliced(placeOf(lines, which), 1)

/** Says a line twice. */
export const double =
  (which: Which): Edit =>
  (lines) => {
    const place = placeOf(lines, which)
    return lines.toSpliced(place, 0, ...lines.slice(place, place + 1))
  }

/** Says a line before another one. */
export const before =
  (which: Which, other: Which): Edit =>
  (lines) => {
    const place = placeOf(lines, which)
    const rest = lines.toSpliced(place, 1)
    return rest.toSpliced(placeOf(rest, other), 0, ...lines.slice(place, place + 1))
  }

/** Says something after a line. */
export const after =
  (which: Which, text: string): Edit =>
  (lines) =>
    lines.toSpliced(placeOf(lines, which) + 1, 0, { from: "server", text })

/** Puts a value at a path of a line; `undefined` takes what is there away. */
export const put =
  (which: Which, path: string, value: unknown): Edit =>
  (lines) => {
    const place = placeOf(lines, which)
    const message: unknown = JSON.parse(lines[place]?.text ?? "")
    const keys = path.split(".")
    const last = keys.pop() ?? ""
    const inner = keys.reduce<unknown>((outer, key) => (isRecord(outer) ? outer[key] : undefined), message)
    if (!isRecord(inner)) throw new Error(`There is no ${path}.`)
    const text = JSON.stringify(message, (_, each: unknown) => (each === inner ? { ...inner, [last]: value } : each))
    return lines.with(place, { from: "server", text })
  }

/** Answers a request that was refused. */
export const grant =
  (id: number, result: object = {}): Edit =>
  (lines) =>
    lines.with(placeOf(lines, [id]), { from: "server", text: JSON.stringify({ id, result }) })
