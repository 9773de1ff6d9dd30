/**
 * What each message of Claude Code becomes in AG-UI, through the model: the tables of the fold and of the writer, one
 * after the other.
 */
import type { EventType } from "../agui/Event.ts"
import { writeMappingOf } from "../agui/write/Table.ts"
import { mappingOf as foldMappingOf } from "../claude/fold/Notice.ts"
import type { MessageName } from "../claude/Message.ts"
import type { EventType as ModelEventType } from "../model/Event.ts"

/** What a message becomes. */
export interface Mapping {
  /** The events of the model it can give, besides those that begin and end turns and sub-agents. */
  readonly model: ReadonlyArray<ModelEventType>
  /** The events of AG-UI that those can give, besides those that begin and end runs and sub-agents. */
  readonly events: ReadonlyArray<EventType>
  /** The names of the `CUSTOM` events among them. */
  readonly custom: ReadonlyArray<string>
  /** When, in words. */
  readonly note: string
}

/** What a message becomes, by its name. */
export const mappingOf = (name: MessageName): Mapping => {
  const folded = foldMappingOf(name)
  return { model: folded.events, ...writeMappingOf(folded.events, folded), note: folded.note }
}
