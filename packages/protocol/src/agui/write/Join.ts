/**
 * Joining a conversation that is under way.
 *
 * A client that joins gets what was said so far as snapshots, then the events that follow. A snapshot in the middle of
 * a message would leave the pieces that follow without a start, which clients reject or drop (docs/wire/ag-ui.md §2.1,
 * §2.4). So after it whatever grows is begun again: both clients ignore a second start of a known id, and keep
 * appending.
 */
import type { Situation } from "../../model/Situation.ts"
import { inDialect } from "../Downgrade.ts"
import type { AguiEvent } from "../Event.ts"
import { isGrowing, startItem } from "./Item.ts"
import { type RunRequest, startRun } from "./Run.ts"
import { enterLane } from "./Subagent.ts"
import type { Written } from "./Write.ts"
import { initialWriter, isHiddenLane, type Out, type WriteOptions, type Writer, withHad } from "./Writer.ts"

/** Opens the run in which a client joins. What is open counts as begun in it: send {@link reopeningEvents} after the snapshots. */
export const joinRun = (
  writer: Writer,
  { brought = [], ...request }: Omit<RunRequest, "input"> & { readonly brought?: ReadonlyArray<string> }
): Written => {
  const out: Out = []
  const joined = reopened(withHad(startRun(writer, request, out), brought), [])
  const { dialect } = writer.settings
  return [joined, out.map((event) => inDialect(event, dialect))]
}

/** For a client that joins in the middle, after the snapshots: what begins the sub-agents and the items that are open. */
export const reopeningEvents = (
  situation: Situation,
  options: Pick<WriteOptions, "dialect" | "subagents"> = {}
): ReadonlyArray<AguiEvent> => {
  const out: Out = []
  const writer = initialWriter({ threadId: "", ...options }, situation)
  reopened(writer, out)
  return out.map((event) => inDialect(event, writer.settings.dialect))
}

const reopened = (writer: Writer, out: Out): Writer => {
  const { items, lanes } = writer.situation
  let next = writer
  for (const lane of lanes.keys()) next = enterLane(next, lane, out)
  const calls = new Map<string, string | undefined>()
  const tasks = new Set<string>()
  for (const [id, { item, lane, phase }] of items) {
    if (isHiddenLane(writer, lane)) continue
    if (item.kind === "task") tasks.add(id)
    else if (isGrowing(item) && phase === "growing") next = startItem(next, lane, id, item, out)
    else if (item.kind === "call") calls.set(id, undefined)
  }
  return { ...next, tasks, calls: new Map([...calls, ...next.calls]) }
}
