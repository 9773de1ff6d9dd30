/**
 * The log of a bridge: one line for each thing that happened, for people or as JSON.
 *
 * What is logged has a name and a few facts, never what was said: no prompt, no answer, no header. Texts that come
 * from elsewhere (the cause of a defect) go through the redactor of the tapes.
 */
import * as Tape from "@agentwire/protocol/tape"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"

/** How much is logged. */
export type LogLevel = "debug" | "info" | "warn" | "error"

/** How a log is written. */
export interface LogOptions {
  /** Takes a line, without its end. */
  readonly write: (line: string) => void
  /** One JSON object a line; else for people. */
  readonly json: boolean
  /** Colors, in lines for people. Default false. */
  readonly color?: boolean
  /** Default `info`. */
  readonly level?: LogLevel
}

const levels = { debug: "Debug", info: "Info", warn: "Warn", error: "Error" } as const

/** The only logger there is, where this layer is. */
export const layerLog = ({ color = false, json, level = "info", write }: LogOptions): Layer.Layer<never> =>
  Layer.merge(
    Logger.layer([
      Logger.map(Logger.formatStructured, (entry) =>
        write(json ? jsonLine(factsOf(entry)) : prettyLine(factsOf(entry), color))
      )
    ]),
    Layer.succeed(References.MinimumLogLevel, levels[level])
  )

interface Entry {
  readonly timestamp: string
  readonly level: string
  readonly message: unknown
  readonly cause: string | undefined
  readonly annotations: Readonly<Record<string, unknown>>
}

interface Facts {
  readonly time: string
  readonly level: string
  readonly event: string
  readonly more: Readonly<Record<string, unknown>>
}

const factsOf = ({ annotations, cause, level, message, timestamp }: Entry): Facts => ({
  time: timestamp,
  level: level.toLowerCase(),
  event: typeof message === "string" ? Tape.redactText(message) : Tape.redactText(JSON.stringify(message) ?? ""),
  more: { ...annotations, ...(cause !== undefined && { cause: Tape.redactText(cause) }) }
})

/** What every line has comes first, and is not replaced by a fact of the same name. */
const jsonLine = ({ event, level, more, time }: Facts): string => {
  const every = { time, level, event }
  return JSON.stringify({ ...every, ...more, ...every })
}

const colors: Readonly<Record<string, string>> = { error: "31", fatal: "31", warn: "33", info: "32" }

const prettyLine = ({ event, level, more, time }: Facts, color: boolean): string => {
  const paint = (code: string, text: string) => (color ? `\u001b[${code}m${text}\u001b[0m` : text)
  const facts = Object.entries(more).map(([name, value]) => `${paint("2", `${name}=`)}${shown(value)}`)
  return [
    paint("2", time.slice(11, 19)),
    paint(colors[level] ?? "2", level.padEnd(5)),
    oneLine(event).padEnd(facts.length === 0 ? 0 : 15),
    ...facts
  ].join(" ")
}

/** Quoted unless it is plain: what a stranger chose (the id of a thread) must not look like another line or fact. */
const shown = (value: unknown): string =>
  typeof value === "string" && /^[\w.:/@-]+$/.test(value) ? value : oneLine(JSON.stringify(value) ?? "")

/** JSON leaves some of what ends a line or moves a cursor as it is. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
