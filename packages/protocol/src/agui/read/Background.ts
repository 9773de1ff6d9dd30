/**
 * What the application tells the agent apart from what the person writes: context, state, and the messages of
 * developers and the system. It is told once, before the person's words, and again when it has changed.
 *
 * Each piece stands in a tag of its own. Inside a piece, the beginnings of these tags are escaped, so no
 * context can end its piece and continue as if it were the person, or the system.
 */
import { isRecord } from "../../wire/Json.ts"
import type { DeveloperMessage, SystemMessage } from "../Message.ts"
import type { Context } from "../RunInput.ts"
import { sessionStateKey } from "../SessionState.ts"

/** What has been told, as fingerprints. Plain data of bounded size. */
export interface Told {
  /** Fingerprint of the context; absent before there was any. */
  readonly context?: string
  /** Fingerprint of the application's state; absent before there was any. */
  readonly state?: string
  /** Fingerprints of the instructions told last, oldest first. */
  readonly instructions: ReadonlyArray<string>
}

/** Nothing has been told. */
export const nothingTold: Told = { instructions: [] }

/** An instruction: what a developer or the system says to the agent. */
export type Instruction = DeveloperMessage | SystemMessage

const maxInstructions = 256

/** The context as text; undefined when it was told already. An empty one is only told when there was some before. */
export const describeContext = (told: Told, context: ReadonlyArray<Context>): readonly [Told, string | undefined] => {
  const print =
    context.length === 0
      ? undefined
      : fingerprint(JSON.stringify(context.map(({ description, value }) => [description, value])))
  if (print === told.context) return [told, undefined]
  const { context: _, ...rest } = told
  return print === undefined
    ? [rest, enclose("application_context", "(none any more)")]
    : [
        { ...told, context: print },
        context.map(({ description, value }) => enclose("application_context", value, description)).join("\n")
      ]
}

/**
 * The application's state as text; undefined when it was told already. What the session says about
 * itself in the state is left out.
 */
export const describeState = (told: Told, state: unknown): readonly [Told, string | undefined] => {
  const text = stateText(state)
  const print = text === undefined ? undefined : fingerprint(text)
  if (print === told.state) return [told, undefined]
  const { state: _, ...rest } = told
  return [print === undefined ? rest : { ...told, state: print }, enclose("application_state", text ?? "(empty)")]
}

/** The instructions that have been told, while more are: a request may bring a thousand of them. */
export class InstructionsTold {
  readonly #prints: Set<string>

  constructor({ instructions }: Told) {
    this.#prints = new Set(instructions)
  }

  /** Whether an instruction with this fingerprint has been told. */
  has(print: string): boolean {
    return this.#prints.has(print)
  }

  /** An instruction is told: now it is the newest, and the oldest is forgotten when there are too many. */
  add(print: string): void {
    this.#prints.delete(print)
    this.#prints.add(print)
    if (this.#prints.size <= maxInstructions) return
    for (const oldest of this.#prints) {
      this.#prints.delete(oldest)
      return
    }
  }

  /** Their fingerprints, oldest first. */
  get prints(): ReadonlyArray<string> {
    return [...this.#prints]
  }
}

/** An instruction as text. */
export const describeInstruction = ({ content, role }: Instruction): string => enclose(`${role}_message`, content)

/** The fingerprint of an instruction: who says it, and its words. */
export const instructionPrint = ({ content, role }: Instruction): string => `${role}:${fingerprint(content)}`

/** The state as JSON; undefined when it is empty, which is what clients without a state send. */
const stateText = (state: unknown): string | undefined => {
  if (!isRecord(state)) return state === undefined || state === null || state === "" ? undefined : JSON.stringify(state)
  const { [sessionStateKey]: _, ...own } = state
  return Object.keys(own).length === 0 ? undefined : JSON.stringify(own)
}

type Tag = "application_context" | "application_state" | "developer_message" | "system_message"

const enclose = (tag: Tag, text: string, description = ""): string => {
  const attribute = description.trim() === "" ? "" : ` description=${escaped(JSON.stringify(description))}`
  return `<${tag}${attribute}>\n${escaped(text)}\n</${tag}>`
}

const tags = "(?:application_context|application_state|developer_message|system_message)"
const tagStart = new RegExp(`<(?=\\s*/?\\s*${tags})`, "gi")
const escapedStart = new RegExp(`&(?=(?:amp;)*lt;\\s*/?\\s*${tags})`, "gi")

/** Different texts stay different: what looks escaped already is escaped once more. */
const escaped = (text: string): string => {
  // Most texts have neither, and a text of megabytes is looked through for a character in no time.
  const unlike = text.includes("&") ? text.replace(escapedStart, "&amp;") : text
  return unlike.includes("<") ? unlike.replace(tagStart, "&lt;") : unlike
}

/** 64 bits and the length of a text (FNV-1a, twice): enough to see a change, not to withstand an attack. */
const fingerprint = (text: string): string => {
  let one = 0x811c9dc5
  let two = 0x050c5d1f
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    one = Math.imul(one ^ unit, 0x01000193)
    two = Math.imul(two ^ ((unit << 7) | (unit >> 9)), 0x01000197)
  }
  return `${text.length}-${(one >>> 0).toString(16)}-${(two >>> 0).toString(16)}`
}
