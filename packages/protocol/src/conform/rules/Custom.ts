/**
 * Custom and raw events: what they carry must be there, even if it is null.
 */
import { rulesOf } from "../Rule.ts"

/** The rules of custom and raw events. */
export const customRules = rulesOf("custom", {
  "AGUI-CUSTOM-001": {
    level: "error",
    requirement: "CUSTOM has a value; null is one.",
    spec: "1.0 events/passthrough; client 1.0.0 enforceEvents",
    dialects: ["1.0"]
  },
  "AGUI-CUSTOM-002": {
    level: "error",
    requirement: "RAW has an event; null is one.",
    spec: "1.0 events/passthrough; client 1.0.0 enforceEvents",
    dialects: ["1.0"]
  }
})

/** The rule a malformed event breaks when it lacks the one thing it is for. */
export const missingPayload = (event: Readonly<Record<string, unknown>>) => {
  if (event["type"] === "CUSTOM" && event["value"] === undefined && typeof event["name"] === "string")
    return customRules["AGUI-CUSTOM-001"]
  if (event["type"] === "RAW" && event["event"] === undefined) return customRules["AGUI-CUSTOM-002"]
  return undefined
}
