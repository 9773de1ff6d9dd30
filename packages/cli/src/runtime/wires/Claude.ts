/** The wire of Claude Code, as the commands read it. */
import * as Claude from "@agentwire/protocol/claude"
import type { Listener, Reading } from "../Reading.ts"

/** How many unanswered requests are remembered. */
const maxAsked = 10_000

const claudeListener = (): Listener => {
  const asked = new Map<string, string>()
  return {
    take: (decoded) => {
      if (decoded._tag !== "Known") return undefined
      const { message } = decoded as Claude.Known
      if (message.type === "control_request") {
        asked.set(message.request_id, message.request.subtype)
        const [oldest] = asked.keys()
        if (asked.size > maxAsked && oldest !== undefined) asked.delete(oldest)
      }
      if (message.type !== "control_response" || message.response.subtype !== "success") return undefined
      const { request_id, response } = message.response
      const subtype = asked.get(request_id)
      if (subtype === undefined || !Claude.isControlSubtype(subtype)) return undefined
      return {
        name: `response to ${subtype}`,
        payload: Claude.decodeResponse(subtype, response),
        drift: () => Claude.responseDrift(subtype, response)
      }
    }
  }
}

/** How it is read. */
export const reading: Reading = {
  decodeLine: Claude.decodeLine,
  decoder: Claude.decoder,
  drift: Claude.drift,
  listener: claudeListener
}
