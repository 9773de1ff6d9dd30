/**
 * What the host and the agent ask each other, from the lines between them: each request, and how it came to an end.
 */

import { decodeLine } from "@agentwire/protocol/claude"
import { isRecord } from "@agentwire/protocol/wire"
import type { WireEntry } from "../log/WireLog.ts"

/** A request, or the end of one. */
export type Traffic =
  | {
      readonly _tag: "Asked"
      readonly at: number
      readonly by: "agent" | "host"
      readonly subtype: string
      readonly id: string
    }
  | {
      readonly _tag: "Ended"
      readonly at: number
      /** Who asked. */
      readonly by: "agent" | "host"
      readonly subtype: string
      readonly id: string
      /** `cancelled`: whoever asked took it back. `unanswered`: the agent was gone before. */
      readonly outcome: "success" | "error" | "cancelled" | "unanswered"
      /** What was answered. */
      readonly response: Readonly<Record<string, unknown>>
    }

interface Open {
  readonly by: "agent" | "host"
  readonly subtype: string
  readonly id: string
}

/** How many requests are remembered that have no answer. */
const maxOpen = 1000

/** Follows the requests of one session. */
export class ControlTraffic {
  readonly #open = new Map<string, Open>()

  /** What a line means. */
  read({ at, from, line }: WireEntry): ReadonlyArray<Traffic> {
    // Lines are written by `JSON.stringify`: what is no control line is not parsed.
    if (!line.includes('"type":"control_')) return []
    const decoded = decodeLine(line)
    const message: unknown = decoded._tag === "Known" ? decoded.message : decoded.raw
    if (!isRecord(message)) return []
    switch (message["type"]) {
      case "control_request": {
        const { request, request_id: given } = message
        const id = typeof given === "number" ? String(given) : given
        const subtype = isRecord(request) ? request["subtype"] : undefined
        if (typeof id !== "string" || typeof subtype !== "string") return []
        // The numbers of the requests begin again with each agent.
        const lost = from === "host" && subtype === "initialize" ? this.end(at) : []
        if (this.#open.size < maxOpen) this.#open.set(`${from} ${id}`, { by: from, subtype, id })
        return [...lost, { _tag: "Asked", at, by: from, subtype, id }]
      }
      case "control_response": {
        const { response } = message
        if (!isRecord(response)) return []
        const outcome = response["subtype"] === "success" ? "success" : "error"
        const given = isRecord(response["response"]) ? response["response"] : {}
        return this.#close(at, from === "agent" ? "host" : "agent", response["request_id"], outcome, given)
      }
      case "control_cancel_request":
        return this.#close(at, from, message["request_id"], "cancelled", {})
      default:
        return []
    }
  }

  /** The agent is gone: nothing is answered any more. */
  end(at: number): ReadonlyArray<Traffic> {
    const lost = [...this.#open.values()]
    this.#open.clear()
    return lost.map((open) => ({ _tag: "Ended", at, ...open, outcome: "unanswered", response: {} }))
  }

  #close(
    at: number,
    by: "agent" | "host",
    id: unknown,
    outcome: "success" | "error" | "cancelled",
    response: Readonly<Record<string, unknown>>
  ): ReadonlyArray<Traffic> {
    const key = `${by} ${String(id)}`
    const asked = this.#open.get(key)
    if (asked === undefined) return []
    this.#open.delete(key)
    return [{ _tag: "Ended", at, ...asked, outcome, response }]
  }
}
