/**
 * What the two real clients do with a stream of events, without a network: their stages in the order their agents run
 * them.
 */
import {
  CompatibilityBoundary,
  defaultApplyEvents,
  enforceEvents,
  HttpAgent,
  transformChunks,
  verifyEvents
} from "@ag-ui/client"
import {
  defaultApplyEvents as defaultApplyEvents00,
  EventSchemas,
  HttpAgent as HttpAgent00,
  transformChunks as transformChunks00,
  verifyEvents as verifyEvents00
} from "agui-client-059"
import { from, lastValueFrom, map, type Observable } from "rxjs"
import type { Dialect } from "../../packages/protocol/src/agui/Dialect.ts"

/** What a client did: at which event it ended the run and why, or undefined when it took them all. */
export type Rejection = { readonly index: number; readonly message: string } | undefined

type Operator = (source: Observable<never>) => Observable<unknown>

/** The agent of client 1.0.0 has this stage first; it is private to its middleware. */
const compatibility: Operator = (source) => {
  const boundary = new CompatibilityBoundary() as unknown as { transformEvent: (event: unknown) => unknown }
  return source.pipe(map((event) => boundary.transformEvent(event)))
}

const stages: Readonly<Record<Dialect, ReadonlyArray<Operator>>> = {
  "1.0": [
    compatibility,
    enforceEvents(false) as unknown as Operator,
    transformChunks(false) as unknown as Operator,
    verifyEvents(false) as unknown as Operator
  ],
  "0.0": [
    (source) => source.pipe(map((event) => EventSchemas.parse(event))),
    transformChunks00(false) as unknown as Operator,
    verifyEvents00(false) as unknown as Operator
  ]
}

/** The first check of client 1.0.0, which is inside its transport. */
const transport = (dialect: Dialect, event: unknown): void => {
  if (dialect === "0.0") return
  if (typeof event !== "object" || event === null || Array.isArray(event)) throw new Error("not a JSON object")
  const { type } = event as { readonly type?: unknown }
  if (typeof type !== "string" || type === "") throw new Error("no event type")
}

type Apply = (input: unknown, events: Observable<unknown>, agent: unknown, subscribers: []) => Observable<unknown>

/** The last stage: what becomes of the events in the client's messages and state. */
const appliers: Readonly<Record<Dialect, { readonly apply: Apply; readonly agent: () => unknown }>> = {
  "1.0": { apply: defaultApplyEvents as unknown as Apply, agent: () => new HttpAgent({ url: "http://localhost" }) },
  "0.0": { apply: defaultApplyEvents00 as unknown as Apply, agent: () => new HttpAgent00({ url: "http://localhost" }) }
}

/** Runs a stream to the end of a client: messages and state change. Fails when the client ends the run. */
export const applyAll = async (dialect: Dialect, events: ReadonlyArray<unknown>, input: unknown): Promise<void> => {
  const { agent, apply } = appliers[dialect]
  const stream = stages[dialect].reduce<Observable<unknown>>(
    (source, stage) => stage(source as Observable<never>),
    from(structuredClone(events))
  )
  await lastValueFrom(apply(input, stream, agent(), []), { defaultValue: undefined })
}

/** What the client of a dialect does with a stream. */
export const rejectionOf = (dialect: Dialect, events: ReadonlyArray<unknown>): Rejection => {
  let index = -1
  const source = from(events).pipe(
    map((event) => {
      index++
      transport(dialect, event)
      return structuredClone(event)
    })
  )
  let rejection: Rejection
  stages[dialect]
    .reduce<Observable<unknown>>((stream, stage) => stage(stream as Observable<never>), source)
    .subscribe({
      error: (error: unknown) => {
        rejection = { index, message: error instanceof Error ? error.message : String(error) }
      }
    })
  return rejection
}
