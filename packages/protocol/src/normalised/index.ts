/** Normalised events: the same small protocol whichever runtime an agent has. Schemas, and the model written as events. */
export { initialNormalised, type NormalisedCursor, type NormalisedOptions, type OpenCall } from "./Cursor.ts"
export {
  NormalisedEvent,
  type NormalisedEventOf,
  type NormalisedType,
  normalisedEvents
} from "./Event.ts"
export { greeting, type NormalisedWritten, type Timed, writeNormalised } from "./Write.ts"
