/**
 * The session as its lines describe it: model, folder and mode, as they change.
 */
import type { SessionInfo } from "../../model/Event.ts"
import { textIn } from "../fold/Fields.ts"
import type { AssistantLine, UserLine } from "./Line.ts"

/** Collects what lines say about their session. */
export class SessionDescription {
  readonly #sessionId: string
  #info: SessionInfo | undefined

  constructor(sessionId: string) {
    this.#sessionId = sessionId
  }

  /** The session as it was described last. */
  get info(): SessionInfo | undefined {
    return this.#info
  }

  /** Notes what a line says; whether it changes anything. */
  note(line: AssistantLine | UserLine): boolean {
    const before = this.#info
    const model = line.type === "assistant" ? textIn(line.message.model) : undefined
    const mode = (line.type === "user" ? textIn(line.permissionMode) : undefined) ?? before?.mode
    const version = textIn(line.version) ?? before?.version
    const info: SessionInfo = {
      sessionId: this.#sessionId,
      model: model === undefined || model === "<synthetic>" ? (before?.model ?? "") : model,
      cwd: textIn(line.cwd) ?? before?.cwd ?? "",
      ...(version !== undefined && { version }),
      ...(mode !== undefined && { mode })
    }
    this.#info = info
    return before === undefined || keys.some((key) => info[key] !== before[key])
  }
}

const keys = ["model", "cwd", "version", "mode"] as const
