/**
 * A call of a tool as its transcript has it, and what it does.
 */
import type { Content } from "../model/Content.ts"
import type { Action } from "../model/Event.ts"
import { isRecord } from "../wire/Json.ts"
import type { CallAction } from "./CallAction.ts"
import { type CallInput, kinds, tools } from "./ToolTable.ts"

/** A call of a tool. */
export interface ToolCall {
  /** The tool, by the name that people know. */
  readonly tool: string
  /** What the model says that the tool does. */
  readonly action?: Action
  /** As they were streamed: JSON, unless the call was cut off. */
  readonly arguments: string
}

/** What became of a call. */
export interface CallOutcome {
  readonly content: Content
  readonly failed: boolean
  readonly exitCode?: number
  /** Somebody did not let it happen. */
  readonly denied?: boolean
}

/** The arguments of a call as an object; an empty one where they are none. */
export const inputOf = ({ arguments: text }: Pick<ToolCall, "arguments">): CallInput => {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : {}
  } catch {
    // It was cut off, or never was JSON: what it would have done is not known.
    return {}
  }
}

/** What a call does: at least one thing, and for a shell command each that can be told. */
export const callActions = (call: ToolCall): readonly [CallAction, ...ReadonlyArray<CallAction>] => {
  const { action = "other", tool } = call
  // The application may call its own tools whatever it likes.
  const read = action === "page_tool" ? undefined : tools.get(tool)
  const [first = { type: "other" as const }, ...more] = (read ?? kinds[action])(inputOf(call))
  return [first, ...more]
}

/** Whether all that a call does is look at files: read, list, search. */
export const isFileRead = (actions: ReadonlyArray<CallAction>): boolean =>
  actions.length > 0 && actions.every(({ type }) => type === "read" || type === "list" || type === "search")

/** The words of a result. */
export const wordsOf = (content: Content): string =>
  typeof content === "string"
    ? content
    : content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
