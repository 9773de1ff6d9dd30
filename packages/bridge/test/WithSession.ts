/**
 * A session whose agent says what the test wants, and a client of it.
 */
import type { Model } from "@agentwire/protocol"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { ApprovalMode } from "../src/face/agui/AguiThread.ts"
import type { ReadFailed } from "../src/log/BoundedLog.ts"
import type { AgentLauncher } from "../src/runtime/claude/Agent.ts"
import { type ClaudeRuntimeOptions, layerClaudeRuntimeWith } from "../src/runtime/claude/ClaudeRuntime.ts"
import { openThread } from "../src/session/OpenThread.ts"
import type { Session } from "../src/session/Session.ts"
import { makeSession } from "../src/session/SessionActor.ts"
import type { SessionOptions } from "../src/session/SessionOptions.ts"
import { layerMemoryStore } from "../src/store/memory/MemoryStore.ts"
import { Store } from "../src/store/Store.ts"
import type { StoredThread } from "../src/store/StoredThread.ts"
import { type AguiClient, aguiClient } from "./AguiClient.ts"
import { type Behaviour, type FakeAgents, fakeAgents, type Line } from "./FakeAgent.ts"
import { testThread } from "./TestLog.ts"

/** What a test chooses about its session. */
export interface Chosen extends Partial<SessionOptions>, Pick<ClaudeRuntimeOptions, "hooks"> {
  readonly approvals?: ApprovalMode
  /** What is known of the thread before. */
  readonly thread?: Partial<StoredThread>
  /** What each agent does before anything is sent to it. */
  readonly initially?: (agents: FakeAgents) => Effect.Effect<void>
  /** Other agents. */
  readonly launcher?: Layer.Layer<AgentLauncher>
}

/** What a test has. */
export interface Setting {
  readonly session: Session
  readonly agents: FakeAgents
  readonly client: AguiClient
  readonly store: Store["Service"]
}

/** Opens a session for the time of a test. */
export const withSession = <A, E>(
  behave: Behaviour,
  { approvals = "deny", hooks = {}, initially, launcher, thread, ...options }: Chosen,
  use: (setting: Setting) => Effect.Effect<A, E>
): Effect.Effect<A, E> => {
  const { agents, layer } = fakeAgents(behave, initially)
  return Effect.gen(function* () {
    const store = yield* Store
    const session = yield* makeSession({
      claim: yield* openThread(store, testThread("t", thread)),
      sessionKey: "t",
      cwd: "/",
      canAsk: approvals !== "deny",
      ...options
    })
    return { session, agents, store, client: aguiClient(session, approvals) }
  }).pipe(
    Effect.orDie,
    Effect.flatMap(use),
    // The session ends before the store does.
    Effect.scoped,
    Effect.provide(Layer.merge(Layer.provide(layerClaudeRuntimeWith({ hooks }), launcher ?? layer), layerMemoryStore()))
  )
}

/** All events of a session up to the first that a test waits for. */
export const eventsUntil = (
  { log }: Session,
  isMeant: (event: Model.Event) => boolean,
  from = 0
): Effect.Effect<ReadonlyArray<Model.Event>, ReadFailed> =>
  Stream.runCollect(
    log.read(from).pipe(
      Stream.map(({ event }) => event),
      Stream.takeUntil(isMeant)
    )
  )

/** Waits until an event of a type has come. */
export const until = (session: Session, type: Model.EventType, from = 0): Effect.Effect<void, ReadFailed> =>
  Effect.asVoid(eventsUntil(session, (event) => event.type === type, from))

/** All that happened so far. */
export const happened = ({ log }: Session): Effect.Effect<ReadonlyArray<Model.Event>, ReadFailed> =>
  Effect.map(Stream.runCollect(Stream.take(log.read(0), log.next())), (entries) => entries.map(({ event }) => event))

/** Waits until something holds. */
export const eventually = (holds: () => boolean): Effect.Effect<void> =>
  Effect.gen(function* () {
    while (!holds()) yield* Effect.yieldNow
  })

/** The control requests of a kind that the host made. */
export const controls = ({ sent }: FakeAgents, subtype: string): ReadonlyArray<Line> =>
  sent.filter((line) => (line["request"] as Line | undefined)?.["subtype"] === subtype)

/** What the host answered to a control request. */
export const answerTo = ({ sent }: FakeAgents, requestId: string): ReadonlyArray<Line> =>
  sent.flatMap((line) => {
    const response = line["response"] as Line | undefined
    return response?.["request_id"] === requestId ? [response] : []
  })
