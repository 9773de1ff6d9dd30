/**
 * The newest answers that were sent to requests of a CLI, to be sent again when the request is.
 */
import { isRecord } from "@agentwire/protocol/wire"

/** How many are kept. A request is posted again within seconds. */
const maxAnswers = 100

/** The newest answers, by their requests. */
export class SentAnswers {
  readonly #answers = new Map<string, object>()

  /** Notes a message that is sent, if it is an answer. */
  note(message: object): void {
    const { response, type } = message as { readonly response?: unknown; readonly type?: unknown }
    if (type !== "control_response" || !isRecord(response) || typeof response["request_id"] !== "string") return
    this.#answers.set(response["request_id"], message)
    if (this.#answers.size <= maxAnswers) return
    for (const oldest of this.#answers.keys()) {
      this.#answers.delete(oldest)
      break
    }
  }

  /** The answer to a request; undefined when none was sent, or not lately. */
  of(requestId: string): object | undefined {
    return this.#answers.get(requestId)
  }
}
