/**
 * What a client asks of threads: to begin one, to follow one that is there, to copy it, to go back in it, and what people
 * do with a list of them. A thread is one of the bridge, whoever began it.
 */
import type { ParamsOf, ResultOf } from "@agentwire/protocol/codex"
import type { Refusal } from "@agentwire/protocol/jsonrpc"
import { isRecord } from "@agentwire/protocol/wire"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { PointTarget } from "../../session/PointTarget.ts"
import type { Session } from "../../session/Session.ts"
import { type SessionChoices, Sessions } from "../../session/Sessions.ts"
import type { Call, Handlers } from "./Call.ts"
import { readDynamicTools } from "./DynamicTools.ts"
import { pageOf, turnsOf, viewOf } from "./History.ts"
import { isCodex } from "./Kind.ts"
import { leaveLater } from "./LaterLeave.ts"
import { type Leave, leaveOf } from "./Leave.ts"
import { refusals, refuse, sessionRefused } from "./Refusals.ts"
import { newId, wireIdOf } from "./ThreadIds.ts"
import { listThreads } from "./ThreadList.ts"
import { modelOf, tellWarnings } from "./ThreadSettings.ts"
import { factsOf, nameOf, sessionOf, summaryOf } from "./Threads.ts"
import { listedStatus, openStatus, threadOf, type WireThread, type WireTurn } from "./ThreadView.ts"
import { begin } from "./TurnMethods.ts"

type StartParams = ParamsOf<"thread/start">
type Started = ResultOf<"thread/start">

/** What a client chooses for a thread of its own. */
const choicesOf = ({ agent, cwd }: Leave): SessionChoices => ({ agent, ...(cwd !== undefined && { cwd }) })

/** What a thread that begins or is resumed is answered with. */
const answerOf = (thread: WireThread, leave: Leave, { client }: Call): Started => {
  const { agent } = client.shared.options
  return {
    thread,
    model: thread.model ?? leave.agent.model ?? agent?.model ?? "default",
    modelProvider: thread.modelProvider,
    serviceTier: null,
    disabledPluginIds: [],
    cwd: thread.cwd,
    runtimeWorkspaceRoots: [thread.cwd],
    instructionSources: [],
    approvalPolicy: leave.approvalPolicy,
    approvalsReviewer: "user",
    sandbox: leave.sandbox,
    activePermissionProfile: leave.activePermissionProfile,
    reasoningEffort: leave.agent.effort ?? agent?.effort ?? null,
    multiAgentMode: "explicitRequestOnly"
  }
}

/** An open thread. */
const viewOpen = (
  session: Session,
  call: Call,
  turns: ReadonlyArray<WireTurn> = []
): Effect.Effect<WireThread, Refusal, Sessions> =>
  Effect.gen(function* () {
    return threadOf(yield* factsOf(session), call.client.shared.options, {
      status: yield* openStatus(session),
      model: yield* modelOf(session, call),
      turns
    })
  })

const start = (params: StartParams, call: Call): Effect.Effect<Started, Refusal, Sessions> =>
  Effect.gen(function* () {
    const { afterwards, client } = call
    const { options } = client.shared
    const leave = yield* leaveOf(params, options)
    const now = yield* Clock.currentTimeMillis
    const id = newId(now)
    const choices = choicesOf(leave)
    client.shared.tools.keep(id, yield* readDynamicTools(params.dynamicTools, client))
    client.shared.wishes.begin(id, params)
    if (params.ephemeral === true) {
      client.ephemerals.set(id, { choices, isBegun: false })
      const facts = {
        threadId: id,
        createdAt: now,
        usedAt: now,
        title: undefined,
        forkOf: undefined,
        cwd: choices.cwd ?? options.cwd
      }
      const thread = threadOf(facts, options, { status: { type: "idle" }, ephemeral: true })
      afterwards(client.notify("thread/started", { thread }))
      return answerOf(thread, leave, call)
    }
    tellWarnings(id, [...leave.notKept, ...leave.warnings], call)
    const sessions = yield* Sessions
    const session = yield* Effect.mapError(sessions.create(id, choices), sessionRefused)
    const thread = yield* viewOpen(session, call)
    // Everybody learns of it; who began it follows it.
    afterwards(client.shared.tellAll("thread/started", { thread }))
    yield* client.follow(session)
    return answerOf(thread, leave, call)
  })

const resume = (
  params: ParamsOf<"thread/resume">,
  call: Call
): Effect.Effect<ResultOf<"thread/resume">, Refusal, Sessions> =>
  Effect.gen(function* () {
    const { threadId: wireId } = params
    const summary = yield* summaryOf(call, wireId, refusals.noRollout)
    if (summary.archived) return yield* refusals.archived(wireId)
    const session = yield* sessionOf(call, wireId, refusals.noRollout)
    const leave = yield* leaveLater(session, params, call)
    tellWarnings(wireId, leave.warnings, call)
    const follow = yield* call.client.follow(session)
    yield* follow.hold
    call.afterwards(follow.release)
    // What is said from here on is told: the cursors end where that begins.
    const turns = yield* turnsOf(session)
    const { initialTurnsPage } = params
    const page =
      initialTurnsPage === undefined || initialTurnsPage === null
        ? null
        : yield* pageOf(turns, ({ id }) => id, initialTurnsPage, "desc")
    return {
      ...answerOf(yield* viewOpen(session, call, params.excludeTurns === true ? [] : turns), leave, call),
      ...backwardsFrom(turns),
      ...(page !== null && {
        initialTurnsPage: { ...page, data: page.data.map((turn) => viewOf(turn, initialTurnsPage?.itemsView)) }
      })
    }
  })

/** An item of a list. */
interface ItemEntry {
  readonly turnId: string
  readonly item: WireTurn["items"][number]
  readonly startedAtMs: number | null
  readonly completedAtMs: number | null
}

/** The items of turns, one after the other. */
const entriesOf = (turns: ReadonlyArray<WireTurn>): ReadonlyArray<ItemEntry> =>
  turns.flatMap(({ id: turnId, items }) =>
    items.map((item) => ({
      turnId,
      item,
      startedAtMs: timeIn(item, "startedAtMs"),
      completedAtMs: timeIn(item, "completedAtMs")
    }))
  )

const entryCursor = ({ item, turnId }: ItemEntry): string => `${turnId}/${idIn(item)}`

/** Where a history that is read backwards begins. codex-acp (2.6.0) reads none without it. */
const backwardsFrom = (
  turns: ReadonlyArray<WireTurn>
): Pick<ResultOf<"thread/resume">, "turnsBackwardsCursor" | "itemsBackwardsCursor"> => {
  const last = entriesOf(turns).at(-1)
  return {
    turnsBackwardsCursor: turns.at(-1)?.id ?? null,
    itemsBackwardsCursor: last === undefined ? null : entryCursor(last)
  }
}

/** The first thing that was said in a turn, and the last. */
const edgesOf = (
  turns: ReadonlyArray<WireTurn>,
  turnId: string
): Effect.Effect<readonly [first: ReadonlyArray<string>, last: ReadonlyArray<string>], Refusal> =>
  Effect.suspend(() => {
    const turn = turns.find(({ id }) => id === turnId)
    if (turn === undefined) return refusals.noTurn(turnId)
    const ids = turn.items.flatMap((item) => ("id" in item && typeof item.id === "string" ? [item.id] : []))
    return Effect.succeed([ids, [...ids].reverse()] as const)
  })

const fork = (params: ParamsOf<"thread/fork">, call: Call): Effect.Effect<ResultOf<"thread/fork">, Refusal, Sessions> =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const { beforeTurnId, lastTurnId, threadId: wireId } = params
    const source = yield* summaryOf(call, wireId, refusals.noRollout)
    yield* leaveOf(params, call.client.shared.options)
    const id = newId(yield* Clock.currentTimeMillis)
    const edge = lastTurnId ?? beforeTurnId
    const [first, last] =
      typeof edge === "string"
        ? yield* edgesOf(yield* turnsOf(yield* sessionOf(call, wireId, refusals.noRollout)), edge)
        : [[], []]
    const target: PointTarget | undefined =
      typeof lastTurnId === "string"
        ? { after: last }
        : typeof beforeTurnId === "string"
          ? { before: first }
          : undefined
    const forked = yield* Effect.mapError(
      sessions.fork(source.threadId, { threadId: id, ...(target !== undefined && { target }) }),
      sessionRefused
    )
    const session = forked ?? (yield* refusals.noRollout(wireId))
    const leave = yield* leaveLater(session, params, call)
    tellWarnings(id, leave.warnings, call)
    call.client.shared.tools.keep(id, call.client.shared.tools.of(source.threadId))
    const turns = params.excludeTurns === true ? [] : yield* turnsOf(session)
    yield* call.client.follow(session)
    const thread = yield* viewOpen(session, call, turns)
    call.afterwards(call.client.shared.tellAll("thread/started", { thread: { ...thread, turns: [] } }))
    return answerOf(thread, leave, call)
  })

/** Takes a thread back to before a turn. */
const revert = (
  wireId: string,
  pick: (turns: ReadonlyArray<WireTurn>) => WireTurn | undefined,
  missing: Refusal,
  call: Call
): Effect.Effect<WireThread, Refusal, Sessions> =>
  Effect.gen(function* () {
    const session = yield* sessionOf(call, wireId, refusals.noRollout)
    const turn = pick(yield* turnsOf(session))
    if (turn === undefined) return yield* missing
    const [first] = yield* edgesOf([turn], turn.id)
    yield* Effect.mapError(session.goBack({ before: first }), (failed) =>
      refuse(failed.message, "code" in failed ? failed.code : "THREAD_BUSY")
    )
    return yield* viewOpen(session, call, yield* turnsOf(session))
  })

/** Takes a thread back by a number of turns, as clients of Codex before 0.160 ask for it. */
export const rollback = (
  wireId: string,
  numTurns: number,
  call: Call
): Effect.Effect<{ readonly thread: WireThread }, Refusal, Sessions> =>
  Effect.map(
    revert(wireId, (turns) => turns.at(-numTurns), refuse("thread has fewer turns"), call),
    (thread) => ({ thread })
  )

/** When an item began or ended, where it says so. */
const timeIn = (item: unknown, key: string): number | null => {
  const time = isRecord(item) ? item[key] : undefined
  return typeof time === "number" ? time : null
}

const idIn = (item: unknown): string => (isRecord(item) && typeof item["id"] === "string" ? item["id"] : "")

/** What comes after an item, or before it in the other direction. */
const besides = <A extends { readonly item: unknown }>(
  entries: ReadonlyArray<A>,
  anchor: string,
  direction: string | null | undefined
): ReadonlyArray<A> => {
  const at = entries.findIndex(({ item }) => idIn(item) === anchor)
  if (at < 0) return []
  return direction === "desc" ? entries.slice(0, at) : entries.slice(at + 1)
}

/** What is asked of threads. */
export const threadHandlers = {
  "thread/start": start,
  "thread/resume": resume,
  "thread/fork": fork,
  "thread/revert": ({ beforeTurnId, threadId }, call) =>
    Effect.map(
      revert(threadId, (turns) => turns.find(({ id }) => id === beforeTurnId), refusals.noTurn(beforeTurnId), call),
      (thread) => ({ thread, ...backwardsFrom(thread.turns) })
    ),
  "thread/read": ({ includeTurns, threadId: wireId }, call) =>
    Effect.gen(function* () {
      const ephemeral = call.client.ephemerals.get(wireId)
      if (ephemeral !== undefined && !ephemeral.isBegun) return yield* refusals.notLoaded(wireId)
      const summary = yield* summaryOf(call, wireId, refusals.notLoaded)
      const cwd = summary.cwd ?? call.client.shared.options.cwd
      const turns = includeTurns === true ? yield* turnsOf(yield* sessionOf(call, wireId, refusals.notLoaded)) : []
      return {
        thread: threadOf({ ...summary, cwd }, call.client.shared.options, { status: listedStatus(summary), turns })
      }
    }),
  "thread/name/set": ({ name, threadId: wireId }, call) =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const { threadId, title } = yield* summaryOf(call, wireId, refusals.noRollout)
      const { hold, release } = call.client.titles
      yield* hold
      call.afterwards(release)
      yield* Effect.mapError(sessions.change(threadId, { title: name }), sessionRefused)
      // The name that it has is none that is given; whoever asks for it is told all the same, as by Codex.
      if (title === name)
        call.afterwards(call.client.notify("thread/name/updated", { threadId: wireId, threadName: name }))
      return {}
    }),
  "thread/archive": ({ threadId: wireId }, call) =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const { threadId } = yield* summaryOf(call, wireId, refusals.noRollout)
      // A turn in progress ends, as Codex ends it.
      const session = yield* Effect.mapError(sessions.find(threadId), sessionRefused)
      if (session !== undefined) yield* session.stop()
      yield* Effect.mapError(sessions.change(threadId, { archived: true }), sessionRefused)
      call.afterwards(call.client.shared.tellAll("thread/archived", { threadId: wireId }))
      return {}
    }),
  "thread/unarchive": ({ threadId: wireId }, call) =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const { threadId } = yield* summaryOf(call, wireId, refusals.noRollout)
      const changed = yield* Effect.mapError(sessions.change(threadId, { archived: false }), sessionRefused)
      if (changed === undefined) return yield* refusals.noRollout(wireId)
      call.afterwards(call.client.shared.tellAll("thread/unarchived", { threadId: wireId }))
      const cwd = changed.cwd ?? call.client.shared.options.cwd
      return { thread: threadOf({ ...changed, cwd }, call.client.shared.options, { status: listedStatus(changed) }) }
    }),
  "thread/delete": ({ threadId: wireId }, call) =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const { threadId } = yield* summaryOf(call, wireId, refusals.noRollout)
      yield* call.client.unfollow(threadId)
      yield* Effect.mapError(sessions.remove(threadId), sessionRefused)
      call.client.shared.tools.keep(threadId, undefined)
      call.afterwards(call.client.shared.tellAll("thread/deleted", { threadId: wireId }))
      return {}
    }),
  "thread/unsubscribe": ({ threadId: wireId }, call) =>
    Effect.gen(function* () {
      const name = yield* nameOf(call, wireId)
      if (call.client.ephemerals.has(wireId)) return { status: "unsubscribed" as const }
      if (yield* call.client.unfollow(name)) return { status: "unsubscribed" as const }
      const sessions = yield* Sessions
      const summary = yield* Effect.mapError(sessions.summary(name), sessionRefused)
      return { status: summary === undefined ? ("notLoaded" as const) : ("notSubscribed" as const) }
    }),
  "thread/compact/start": ({ threadId: wireId }, call) =>
    Effect.gen(function* () {
      const session = yield* sessionOf(call, wireId, refusals.notFound)
      if (yield* isCodex(session, call))
        yield* Effect.mapError(session.native.request("thread/compact/start", {}), ({ code, message }) =>
          refuse(message, code)
        )
      else {
        const id = newId(yield* Clock.currentTimeMillis)
        yield* begin(session, { type: "prompt", said: [{ id, content: "/compact" }] }, id)
      }
      return {}
    }),
  "thread/list": listThreads,
  "thread/loaded/list": (_, call) =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const all = yield* Effect.mapError(sessions.list, sessionRefused)
      const loaded = all.filter(({ status }) => status !== "disconnected" && status !== "terminated")
      return {
        data: [...loaded.map(({ threadId }) => wireIdOf(threadId)), ...call.client.ephemerals.keys()],
        nextCursor: null
      }
    }),
  "thread/turns/list": (params, call) =>
    Effect.gen(function* () {
      const session = yield* sessionOf(call, params.threadId, refusals.notLoaded)
      const page = yield* pageOf(yield* turnsOf(session), ({ id }) => id, params, "desc")
      return { ...page, data: page.data.map((turn) => viewOf(turn, params.itemsView)) }
    }),
  "thread/items/list": (params, call) =>
    Effect.gen(function* () {
      const turns = yield* turnsOf(yield* sessionOf(call, params.threadId, refusals.notLoaded))
      const entries = entriesOf(
        turns.filter(({ id }) => params.turnId === undefined || params.turnId === null || params.turnId === id)
      )
      const { cursor } = params
      const anchor = isRecord(cursor) ? cursor["itemId"] : undefined
      const rest = typeof anchor === "string" ? besides(entries, anchor, params.sortDirection) : entries
      return yield* pageOf(rest, entryCursor, { ...params, cursor: typeof cursor === "string" ? cursor : null }, "asc")
    })
} as const satisfies Handlers
