/**
 * A matcher for vitest: `expect(events).toConformToAgui()`. Importing this module, or naming it in `setupFiles`,
 * registers it and declares its type.
 */
import type { Agui } from "@agentwire/protocol"
import { expect } from "vitest"
import { FileCheck } from "./conform/FileCheck.ts"
import { ruleIds } from "./conform/Rules.ts"
import { renderSubject } from "./conform/report/Terminal.ts"
import { selectionOf } from "./conform/Selection.ts"
import type { Subject } from "./conform/Subject.ts"
import { plain } from "./Paint.ts"

/** How `toConformToAgui` judges. */
export interface ConformOptions {
  /** The dialect of the client that reads the events. Default: `1.0`. */
  readonly dialect?: Agui.Dialect
  /** The `RunAgentInput` that the events answer; rules about identity need it. */
  readonly input?: unknown
  /** Names of the tools that the client runs. */
  readonly frontendTools?: ReadonlyArray<string>
  /** Whether warnings fail too. Default: no. */
  readonly strict?: boolean
  /** Ids of the rules to use, with `*` and `?`. Default: all. */
  readonly only?: ReadonlyArray<string>
  /** Ids of the rules to leave out. */
  readonly skip?: ReadonlyArray<string>
}

/** What a matcher answers. */
export interface ConformResult {
  readonly pass: boolean
  readonly message: () => string
}

/**
 * Judges events, or what a server wrote as text or bytes: SSE or NDJSON. The matcher behind `expect`, for those who
 * extend it themselves.
 */
export const toConformToAgui = (received: unknown, options: ConformOptions = {}): ConformResult => {
  const subject = judge(received, options)
  const pass = subject.verdict !== "fail"
  const verb = pass ? "not to conform" : "to conform"
  return {
    pass,
    message: () =>
      `expected the events ${verb} to AG-UI ${options.dialect ?? "1.0"}\n\n${renderSubject(subject, plain)}`
  }
}

const judge = (received: unknown, options: ConformOptions): Subject => {
  const { only = [], skip = [], strict = false, ...check } = options
  const selection = selectionOf(only, skip, { rules: ruleIds, scenarios: [] })
  const checked = new FileCheck("events", { check, selection, strict })
  if (typeof received === "string" || received instanceof Uint8Array) checked.push(Buffer.from(received))
  else if (isIterable(received)) checked.pushEvents(received)
  else throw new TypeError("toConformToAgui takes an array or iterable of events, or the text or bytes of a response.")
  checked.end()
  return checked.subject
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.iterator in value

expect.extend({ toConformToAgui })

declare module "vitest" {
  interface Matchers<T> {
    /** The events, or the text or bytes of a response, keep the rules of AG-UI. */
    toConformToAgui(options?: ConformOptions): T
  }
}
