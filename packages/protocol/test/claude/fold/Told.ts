/** Events of the model in short, one line each: the type, what it is about, and what it says. */
import type { Event } from "../../../src/model/Event.ts"

/** Events in short: the type, what it is about, what it says, `!` for what was abandoned, and `@` who says it. */
export const told = (events: ReadonlyArray<Event>): ReadonlyArray<string> =>
  events.map((event) => {
    const fields: Readonly<Record<string, unknown>> = { ...event }
    const about = fields["id"] ?? fields["name"] ?? ""
    const what = fields["delta"] ?? fields["signature"] ?? ""
    const words = [event.type, about, what].filter((word) => word !== "")
    const lane = fields["lane"]
    return `${words.join(" ")}${fields["abandoned"] === true ? "!" : ""}${typeof lane === "string" ? ` @${lane}` : ""}`
  })
