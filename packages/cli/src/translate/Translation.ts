/**
 * One file on its way through the translator: bytes of NDJSON or of a tape in, text of AG-UI out.
 *
 * Of a tape the agent's side is translated. Only where the messages are asked for are the host's prompts read, too:
 * they are part of the conversation, and no event reports them.
 */
import { Agui, type Tape, Translate } from "@agentwire/protocol"
import type { Decoded } from "@agentwire/protocol/claude"
import { Failure } from "../Failure.ts"
import { claudeMessage, type WireItem, type WireOptions, WireSource } from "../WireSource.ts"

/** What is written for each event, or at the end. */
export type Format = "ndjson" | "sse" | "messages"

/** What there was to say about the lines of a file. */
export interface Findings {
  /** Lines of the agent that are not empty, and lines that are none of a tape. */
  lines: number
  /** Messages there is no schema for. */
  unknown: number
  /** Lines that are not messages. */
  invalid: number
  /** The first of them. */
  example: { readonly line: number; readonly error: string } | undefined
}

/** Bytes in, text out. */
export interface Translation {
  readonly findings: Readonly<Findings>
  /** What the lines that end in this chunk give. */
  readonly push: (chunk: Uint8Array) => string
  /** What ends the last run, and with it the output. */
  readonly end: () => string
}

/** A translation that writes in a format. */
export const translation = (
  format: Format,
  options: Translate.TranslateOptions,
  limits: WireOptions = {}
): Translation => {
  const source = new WireSource(limits)
  const findings: Findings = { lines: 0, unknown: 0, invalid: 0, example: undefined }
  const heard = (wire: ReadonlyArray<WireItem>): ReadonlyArray<Translate.Said> =>
    wire.flatMap((one) => counted(one, findings).map((each) => claudeMessage(each, source, limits.file)))
  const reason = (): Translate.FinishReason => {
    const { exit } = source.notes()
    return exit === undefined ? { type: "end" } : { type: "exit", code: exit.code, signal: exit.signal }
  }
  const fold =
    format === "messages" ? messages(options, () => source.notes().header) : events(options, encoders[format])
  return {
    findings,
    push: (chunk) => fold.addMessages(heard(source.push(chunk))),
    end: () => fold.addMessages(heard(source.end())) + fold.finish(reason())
  }
}

/** Counts a line; gives it back when it is one of somebody's messages. */
const counted = (one: WireItem, findings: Findings): ReadonlyArray<Exclude<WireItem, { readonly _tag: "Wrong" }>> => {
  if (one._tag === "Wrong") {
    findings.lines++
    invalid(findings, one.line, `not a line of a tape: ${one.message}`)
    return []
  }
  if (one.from === "host") return [one]
  findings.lines++
  if (one._tag === "Unknown") findings.unknown++
  if (one._tag === "Invalid") invalid(findings, one.line, one.error.message)
  return [one]
}

const invalid = (findings: Findings, line: number, error: string): void => {
  findings.invalid++
  findings.example ??= { line, error }
}

interface Fold {
  readonly addMessages: (said: ReadonlyArray<Translate.Said>) => string
  readonly finish: (reason: Translate.FinishReason) => string
}

const encoders: Readonly<Record<Exclude<Format, "messages">, (event: Agui.AguiEvent) => string>> = {
  ndjson: (event) => `${JSON.stringify(event)}\n`,
  sse: Agui.encodeSse
}

const events = (options: Translate.TranslateOptions, encode: (event: Agui.AguiEvent) => string): Fold => {
  let state = Translate.initialState(options)
  const encoded = (given: ReadonlyArray<Agui.AguiEvent>): string =>
    given.reduce((text, event) => text + encode(event), "")
  const take = (decoded: Decoded): string => {
    const [next, given] = Translate.step(state, decoded)
    state = next
    checkOpen(state, decoded.line)
    return encoded(given)
  }
  return {
    addMessages: (said) => said.reduce((text, one) => (one.from === "host" ? text : text + take(one)), ""),
    finish: (reason) => encoded(Translate.finish(state, reason))
  }
}

/** How much may be open at a time. What comes next costs as much as is open, and no session has a hundredth of it. */
const maxOpen = 4000

const checkOpen = ({ fold, writer }: Translate.State, line: number): void => {
  const open = sizeOf(fold) + sizeOf(writer)
  if (open <= maxOpen) return
  throw new Failure(
    `line ${line}: more than ${maxOpen} calls, tasks and sub-agents are open. No session of the CLI has that: the file is not one, or damaged.`
  )
}

const sizeOf = (state: object): number =>
  Object.values(state).reduce((sum: number, each: unknown) => sum + (each instanceof Map ? each.size : 0), 0)

const messages = (options: Translate.TranslateOptions, header: () => Tape.TapeHeader | undefined): Fold => {
  let dialogue: Translate.Dialogue | undefined
  const begin = (): Translate.Dialogue => {
    const known = header()
    const argument = known === undefined ? undefined : Translate.argumentPrompt(known)
    const fresh = Translate.emptyDialogue(options)
    return argument === undefined ? fresh : Translate.withPrompt(fresh, argument)
  }
  return {
    addMessages: (said) => {
      if (said.length === 0) return ""
      dialogue = Translate.withMessages(dialogue ?? begin(), said)
      checkOpen(dialogue.translation, said.at(-1)?.line ?? 0)
      return ""
    },
    finish: (reason) =>
      Translate.historyOf(dialogue ?? begin(), reason)
        .messages.map((message) => `${JSON.stringify(message)}\n`)
        .join("")
  }
}
