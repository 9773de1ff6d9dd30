/**
 * What becomes of one kind of message of a runtime, as data: its fold follows it, and the documentation shows it.
 */
import type { EventType, ItemStart } from "./Event.ts"
import type { Closing, Request } from "./Request.ts"

/** What a message becomes. */
export interface Mapping {
  /** The events it can give, besides those that begin and end turns and sub-agents and what such an end closes. */
  readonly events: ReadonlyArray<EventType>
  /** The kinds of the items among them. */
  readonly items: ReadonlyArray<ItemStart["kind"]>
  /** The kinds of the requests that are opened. */
  readonly requests: ReadonlyArray<Request["kind"]>
  /** Why requests are closed. */
  readonly closings: ReadonlyArray<Closing>
  /** The names of what is `noticed`. */
  readonly noticed: ReadonlyArray<string>
  /** When, in words. */
  readonly note: string
}

/** A mapping of which the rest is nothing. */
export const mapping = (given: Partial<Mapping>): Mapping => ({
  events: [],
  items: [],
  requests: [],
  closings: [],
  noticed: [],
  note: "",
  ...given
})
