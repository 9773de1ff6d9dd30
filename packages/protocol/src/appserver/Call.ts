/**
 * Calls as items. A call is told once it is known what it is called with, so that its item is whole from the start: what
 * it would change in files is there before anybody is asked. It is complete when it has its result, or when its turn ends.
 */
import type { EventOf, Lane } from "../model/Event.ts"
import type { Request } from "../model/Request.ts"
import { withEntry, withoutEntry } from "../model/Situation.ts"
import { fieldsIn, listIn, textIn } from "../wire/Fields.ts"
import { endSpawn, nameChild, spawnItem } from "./Agent.ts"
import { type CallFacts, callItems, factsOf, kindOf, type Outcome } from "./CallItem.ts"
import type { OpenCall, OpenTurn } from "./Cursor.ts"
import { changesOf, gitDiff } from "./Diff.ts"
import { completeItem, type Draft, markDone, placeOf, set, startItem, tell } from "./Draft.ts"
import { tellSteps } from "./Steps.ts"

type CallStart = Extract<EventOf<"item_started">["item"], { readonly kind: "call" }>

/** A call begins. Nothing is told before it is known what it is called with. */
export const startCall = (draft: Draft, { id, lane }: EventOf<"item_started">, { action, tool }: CallStart): void => {
  const { calls, done } = draft.cursor
  if (calls.has(id) || done.has(id)) return
  const call: OpenCall = {
    lane,
    tool,
    action,
    arguments: "",
    startedAt: undefined,
    denied: false,
    complete: false
  }
  set(draft, { calls: withEntry(calls, id, call) })
}

/** The next piece of what a call is called with. */
export const growCall = (draft: Draft, id: string, call: OpenCall, delta: string): void => {
  if (call.startedAt === undefined)
    set(draft, { calls: withEntry(draft.cursor.calls, id, { ...call, arguments: call.arguments + delta }) })
}

/** Tells the client of a call, unless it knows. */
export const tellCall = (draft: Draft, id: string): void => {
  const call = draft.cursor.calls.get(id)
  const place = call === undefined ? undefined : placeOf(draft.cursor, call.lane)
  if (call === undefined || place === undefined || call.startedAt !== undefined) return
  const facts = factsOf(id, call, draft.cursor.cwd, place.thread)
  const isComplete = begin(draft, facts, place)
  const told = { ...call, startedAt: draft.at, complete: isComplete }
  set(draft, { calls: withEntry(draft.cursor.calls, id, told) })
  nameChild(draft, id)
}

/** Begins the item of a call, and says whether that is all that there is to tell. */
const begin = (draft: Draft, facts: CallFacts, place: OpenTurn): boolean => {
  const { call, id, input } = facts
  const kind = kindOf(facts)
  switch (kind) {
    case "agent":
      startItem(draft, place, spawnItem(facts, "inProgress"))
      return false
    case "plan": {
      const text = textIn(input["plan"]) ?? ""
      startItem(draft, place, { type: "plan", id, text: "" })
      if (text !== "")
        tell(draft, "item/plan/delta", { threadId: place.thread, turnId: place.turn, itemId: id, delta: text })
      completeItem(draft, call.lane, place, { type: "plan", id, text }, draft.at)
      return true
    }
    case "steps":
      tellSteps(draft, place, {
        steps: listIn(input["todos"]).map((todo) => {
          const { content, status } = fieldsIn(todo)
          return { step: content, status }
        })
      })
      return true
    // Whoever is asked is told by the question itself (docs/wire/codex.md, §3.32).
    case "question":
      return true
    default:
      startItem(draft, place, callItems[kind](facts, undefined))
      return false
  }
}

/** The arguments of a call that somebody is asked about, where they have not been said otherwise. */
export const noteInput = (draft: Draft, request: Exclude<Request, { readonly kind: "form" }>): void => {
  const call = draft.cursor.calls.get(request.call)
  if (call === undefined || call.startedAt !== undefined) return
  const known = factsOf(request.call, call, draft.cursor.cwd, "").input
  if (Object.keys(known).length === 0)
    set(draft, {
      calls: withEntry(draft.cursor.calls, request.call, { ...call, arguments: JSON.stringify(request.input) })
    })
  tellCall(draft, request.call)
}

/** A call has its result. */
export const answerCall = (draft: Draft, { content, exitCode, failed, id }: EventOf<"call_answered">): void => {
  if (!draft.cursor.calls.has(id)) return
  tellCall(draft, id)
  const call = draft.cursor.calls.get(id)
  if (call !== undefined) endCall(draft, id, call, { content, failed, exitCode })
}

const endCall = (
  draft: Draft,
  id: string,
  call: OpenCall,
  result: Pick<Outcome, "content" | "failed" | "exitCode">
): void => {
  const place = placeOf(draft.cursor, call.lane)
  set(draft, { calls: withoutEntry(draft.cursor.calls, id) })
  markDone(draft, id, 1)
  if (place === undefined || call.startedAt === undefined) return
  const facts = factsOf(id, call, draft.cursor.cwd, place.thread)
  const outcome: Outcome = { ...result, denied: call.denied, durationMs: Math.max(0, draft.at - call.startedAt) }
  const kind = kindOf(facts)
  if (kind === "agent") endSpawn(draft, facts, place, outcome)
  else if (kind !== "plan" && kind !== "steps" && kind !== "question") {
    completeItem(draft, call.lane, place, callItems[kind](facts, outcome), call.startedAt)
    if (kind === "files" && !outcome.failed) tellDiff(draft, facts)
  }
}

/** Files were changed: Codex says all that the turn has changed in them, every time. */
const tellDiff = (draft: Draft, { call, input }: CallFacts): void => {
  const { cwd, diffs, threadId, turn } = draft.cursor
  if (turn === undefined || call.lane !== null) return
  const all = [...diffs, ...changesOf(input).map((change) => gitDiff(cwd, change))]
  set(draft, { diffs: all })
  tell(draft, "turn/diff/updated", { threadId, turnId: turn.turn, diff: all.join("") })
}

/** A piece of a command's output. */
export const callOutput = (draft: Draft, id: string, delta: string): void => {
  const call = draft.cursor.calls.get(id)
  const place = call === undefined ? undefined : placeOf(draft.cursor, call.lane)
  if (call?.startedAt === undefined || place === undefined || delta === "") return
  if (kindOf(factsOf(id, call, draft.cursor.cwd, place.thread)) !== "command") return
  tell(draft, "item/commandExecution/outputDelta", {
    threadId: place.thread,
    turnId: place.turn,
    itemId: id,
    delta
  })
}

/** Closes all calls of some lanes: nobody answers them any more. What was never told is not told now. */
export const closeCalls = (draft: Draft, isMeant: (lane: Lane) => boolean): void => {
  for (const [id, call] of draft.cursor.calls)
    if (isMeant(call.lane)) endCall(draft, id, call, { content: "", failed: true, exitCode: undefined })
}
