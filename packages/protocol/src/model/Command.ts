/**
 * What somebody outside wants of a conversation. Faces read their client's requests as commands; a runtime says them
 * on its wire.
 */
import type { JsonObject } from "../wire/Open.ts"
import type { Content } from "./Content.ts"
import type { Answer } from "./Request.ts"

/** What a person said. */
export interface Said {
  /** The id that the client knows the message by. */
  readonly id: string
  readonly content: Content
}

/** Something to do for the agent. It begins a turn. */
export interface Prompt {
  readonly type: "prompt"
  readonly said: ReadonlyArray<Said>
  /** What the application wants the agent to know besides: context, state, instructions. */
  readonly aside?: string
}

/** Words for the turn that is open: they go into it, and do not end it. */
export interface Steer {
  readonly type: "steer"
  /** What the session and its runtime call these words. */
  readonly id: string
  /** At least one. */
  readonly said: ReadonlyArray<Said>
  /** What the application wants the agent to know besides. */
  readonly aside?: string
}

/**
 * The text of a prompt that is a slash command and nothing else. Agents know one only when nothing stands before it or
 * after it.
 */
export const slashCommandOf = (said: ReadonlyArray<Said>): string | undefined => {
  const parts = said.flatMap(({ content }) =>
    typeof content === "string" ? [{ type: "text" as const, text: content }] : content
  )
  const [only, ...more] = parts.filter((part) => part.type !== "text" || part.text.trim() !== "")
  // A second slash makes it a path.
  return only?.type === "text" && more.length === 0 && /^\/[\w:.-]+(?:\s|$)/.test(only.text) ? only.text : undefined
}

/** Whether a prompt is a slash command and nothing else. */
export const isSlashCommand = (said: ReadonlyArray<Said>): boolean => slashCommandOf(said) !== undefined

/** A tool of the application. */
export interface PageTool {
  readonly name: string
  readonly description: string
  /** The JSON Schema of its input. */
  readonly parameters?: JsonObject
}

/** What somebody outside wants of a conversation. */
export type Command =
  | Prompt
  | Steer
  /** End the turn. */
  | { readonly type: "interrupt" }
  /** The answer to an open request. */
  | { readonly type: "answer"; readonly id: string; readonly answer: Answer }
  /** All tools that the application has. */
  | { readonly type: "offer_tools"; readonly tools: ReadonlyArray<PageTool> }
