/**
 * The laws of the translator for Codex, as a table: each is a function of any translator and any recorded session that
 * says why it does not hold. The real clients judge the first, in both dialects.
 */
import type { Agui, Translate } from "@agentwire/protocol"
import { Dialogue, decoder, essentials, type Heard, resultEssentials } from "@agentwire/protocol/codex"
import { isRecord, parseJson } from "@agentwire/protocol/wire"
import { isNeeded, needOf } from "../../../packages/protocol/src/wire/Essentials.ts"
import { judge } from "../law/Legal.ts"
import { laneOfEvent, piecesOf, type ShownMessage, shown } from "../law/Shown.ts"
import { difference, firstOf, numbersFrom, stable, type Violation } from "../law/Translator.ts"
import { lanesOf, told } from "./Told.ts"
import { fields, type Law, type Line, type Session, said, type Translator, translate, withLines } from "./Translator.ts"

type Events = ReadonlyArray<Agui.AguiEvent>

// --- 1 always legal ----------------------------------------------------------------------------

const dialects = ["1.0", "0.0"] as const

const legal: Law = async (translator, session) => {
  for (const dialect of dialects) {
    const violation = await judge(translate(translator, session, dialect).events, dialect)
    if (violation !== undefined) return `in dialect ${dialect}: ${violation}`
  }
  return undefined
}

// --- 2 nothing lost, nothing twice -------------------------------------------------------------

const saidBy = (events: Events, session: Session): ReadonlyArray<ShownMessage> => {
  const { prompts } = told(session)
  return [...shown(events).messages.values()].filter(({ id }) => !prompts.has(id))
}

const lossless: Law = (translator, session) => {
  const { events, steps, waiting } = translate(translator, session)
  const expected = told(session)
  const found = shown(events)
  const heard = saidBy(events, session)
  return firstOf(
    ...[...lanesOf(session).values()].flatMap((lane) =>
      (["text", "thinking"] as const).map((kind) => () => {
        const isMeant = (message: Pick<ShownMessage, "kind" | "lane">): boolean =>
          message.lane === lane && message.kind === kind
        const [there, here] = [expected.messages.filter(isMeant), heard.filter(isMeant)]
        return (
          difference(`${kind} of ${lane ?? "the thread"}`, there.map(contentOf), here.map(contentOf)) ??
          difference(
            `what is abandoned of ${kind}`,
            there.map(({ cut }) => cut),
            here.map(({ abandoned }) => abandoned)
          )
        )
      })
    ),
    () =>
      difference(
        "calls",
        [...expected.calls].sort(),
        [...found.calls.values()].map(({ id, lane }) => [id, lane]).sort()
      ),
    () => resultsAtOnce(session, steps, found.results),
    () => tasksOf(session, [...events, ...waiting])
  )
}

const contentOf = ({ content }: { readonly content: string }): string => content

const resultsAtOnce = (
  session: Session,
  steps: ReadonlyArray<Events>,
  results: ReadonlyArray<Agui.AguiEventOf<"TOOL_CALL_RESULT">>
): Violation => {
  const twice = results.find(({ toolCallId }, at) =>
    results.some((each, i) => i < at && each.toolCallId === toolCallId)
  )
  if (twice !== undefined) return `${twice.toolCallId} has two results`
  for (const { failed, id, index, pieces } of told(session).results) {
    const result = steps[index]?.find((event) => event.type === "TOOL_CALL_RESULT" && event.toolCallId === id)
    if (result?.type !== "TOOL_CALL_RESULT") return `line ${index + 1} does not give the result of ${id}`
    const content = piecesOf(result.content).join("\n")
    const lost = pieces.find((piece) => !content.includes(piece))
    if (lost !== undefined) return `the result of ${id} lacks ${JSON.stringify(lost)}: ${JSON.stringify(content)}`
    if (failed !== (result.metadata?.["isError"] === true)) return `the result of ${id}: failed is ${failed}`
  }
  return undefined
}

/** Commands that outlive their turns are tasks, and end as such: where no run is open, in the next one (§3.13). */
const tasksOf = (session: Session, events: Events): Violation => {
  const activities = stable(events.filter(({ type }) => type.startsWith("ACTIVITY")))
  for (const id of told(session).late.keys()) {
    if (!activities.includes(`"task:${id}"`)) return `${id} runs on and is no task`
    if (!/"(?:completed|failed|stopped)"/.test(activities)) return `${id} has ended, and nobody says so`
  }
  return undefined
}

// --- 3 streamed ≡ whole ------------------------------------------------------------------------

const isPiece = ({ text }: Line): boolean =>
  /[dD]elta$|summaryPartAdded$/.test(String(fields(parseJson(text))["method"] ?? ""))

const streamedIsWhole: Law = (translator, session) => {
  const whole = withLines(
    session,
    session.lines.filter((line) => !isPiece(line))
  )
  const gist = (events: Events) => {
    const { calls, messages, results } = shown(events)
    // What was never completed is in the stream only.
    const complete = new Set(told(session).messages.flatMap(({ content, whole: is }) => (is ? [content] : [])))
    return [
      [...messages.values()].filter(({ abandoned, content }) => !abandoned && complete.has(content)).sort(byId),
      [...calls.values()].map(({ args, id, lane, name }) => [id, name, lane, args]).sort(),
      results.map(({ content, metadata, toolCallId }) => [toolCallId, content, metadata])
    ]
  }
  return difference(
    "messages without the stream",
    gist(translate(translator, session).events),
    gist(translate(translator, whole).events)
  )
}

const byId = (a: { readonly id: string }, b: { readonly id: string }): number =>
  a.id < b.id ? -1 : a.id > b.id ? 1 : 0

// --- 4 lanes -----------------------------------------------------------------------------------

const saying = /^(TEXT_MESSAGE|REASONING|TOOL_CALL)_/

const paired = (events: Events): Violation => {
  let active = new Set<string>()
  for (const event of events) {
    const id = laneOf(event)
    if (event.type === "RUN_STARTED") active = new Set()
    else if (event.type === "SUBAGENT_STARTED") {
      if (active.has(event.subagentRunId)) return `${id} starts twice`
      active.add(event.subagentRunId)
    } else if (event.type === "SUBAGENT_FINISHED" || event.type === "SUBAGENT_ERROR") {
      if (!active.delete(event.subagentRunId)) return `${id} ends without a start`
    } else if (event.type === "RUN_FINISHED" || event.type === "RUN_ERROR") {
      if (active.size > 0) return `the run ends before ${[...active].join()}`
    } else if (id !== undefined && saying.test(event.type) && !active.has(id)) return `${id} speaks outside its part`
  }
  return undefined
}

const laneOf = (event: Agui.AguiEvent): string | undefined =>
  "subagentRunId" in event ? event.subagentRunId : undefined

/** What is said on each thread alone is what is said of it beside others. */
const lanesApart: Law = (translator, session) => {
  const { events } = translate(translator, session)
  const lanes = lanesOf(session)
  const without = (isLeft: (thread: string) => boolean): Session =>
    withLines(
      session,
      session.lines.filter(({ from, text }) => {
        const { method, params } = fields(from === "server" ? parseJson(text) : undefined)
        const thread = fields(params)["threadId"]
        return method === undefined || typeof thread !== "string" || !isLeft(thread)
      })
    )
  const of = (all: Events, lane: string | null | undefined) =>
    all.filter((event) => saying.test(event.type) && (lane === undefined || laneOfEvent(event) === lane))
  const check = (what: string, other: Session, lane: string | null | undefined): Violation =>
    other.lines.length === session.lines.length
      ? undefined
      : difference(what, of(translate(translator, other).events, lane), of(events, lane))
  return firstOf(
    () => paired(events),
    () =>
      check(
        "without strange threads",
        without((thread) => !lanes.has(thread)),
        undefined
      ),
    () =>
      check(
        "without sub-agents",
        without((thread) => thread !== session.thread),
        null
      )
  )
}

// --- 5 chunking does not matter ----------------------------------------------------------------

const inPieces = (session: Session, seed: number): Session => {
  const pick = numbersFrom(seed)
  const dialogue = new Dialogue()
  const { end, push } = decoder()
  const most = [3, 200, 5_000][pick(3)] ?? 200
  // Only the server's bytes come in pieces; the client's lines stand where they stood.
  const heard: Array<Heard> = []
  const waiting: Array<ReturnType<typeof push>[number]> = []
  for (const { from, text } of session.lines) {
    if (from === "client") {
      heard.push(...waiting.splice(0).map((decoded) => dialogue.heed("server", decoded)), dialogue.hear(from, text))
      continue
    }
    const bytes = Buffer.from(`${text}\n`)
    const step = Math.ceil(bytes.length / 500)
    for (let at = 0; at < bytes.length; ) {
      const next = at + step + pick(most)
      waiting.push(...push(bytes.subarray(at, next)))
      at = next
    }
  }
  heard.push(...[...waiting, ...end()].map((decoded) => dialogue.heed("server", decoded)))
  return { ...session, heard }
}

const recut = (session: Session, seed: number): Session => {
  const pick = numbersFrom(seed + 1)
  return withLines(
    session,
    session.lines.flatMap((line): ReadonlyArray<Line> => {
      const message = fields(line.from === "server" ? parseJson(line.text) : undefined)
      const params = fields(message["params"])
      const { delta } = params
      const isText = /(?:Message|plan|reasoning)\/.*[dD]elta$/.test(String(message["method"]))
      if (!isText || typeof delta !== "string" || delta.length < 2) return [line]
      const at = 1 + pick(delta.length - 1)
      return [delta.slice(0, at), delta.slice(at)].map((piece) => ({
        from: line.from,
        text: JSON.stringify({ ...message, params: { ...params, delta: piece } })
      }))
    })
  )
}

const contents = (events: Events) => {
  const { calls, messages, results } = shown(events)
  return [[...messages.values()], [...calls.values()], results]
}

const chunkingDoesNotMatter: Law = (translator, session, seed) => {
  const { events } = translate(translator, session)
  return firstOf(
    () => difference("events of bytes in pieces", events, translate(translator, inPieces(session, seed)).events),
    () =>
      difference(
        "what is shown of deltas in pieces",
        contents(events),
        contents(translate(translator, recut(session, seed)).events)
      )
  )
}

// --- 6 ids are stable and unique ---------------------------------------------------------------

const stableIds: Law = (translator, session) => {
  const { events, last, steps } = translate(translator, session)
  return firstOf(
    () => uniqueIds(events),
    () => fromTheWire(session, events),
    () => {
      // After its first turn a thread shows what it would show had the first turn not been.
      const first = said(session).find(
        ({ method, params }) => method === "turn/completed" && params["threadId"] === session.thread
      )
      if (first === undefined || told(session).late.size > 0 || lanesOf(session).size > 1) return undefined
      const rest = { ...session, heard: session.heard.slice(first.index + 1) }
      return difference(
        "the rest by itself",
        contents(translate(translator, rest).events),
        contents([...steps.slice(first.index + 1).flat(), ...last])
      )
    }
  )
}

const uniqueIds = (events: Events): Violation => {
  const taken = new Set<string>()
  for (const event of events) {
    const id =
      event.type === "TOOL_CALL_START"
        ? `call ${event.toolCallId}`
        : event.type === "TEXT_MESSAGE_START" ||
            event.type === "REASONING_MESSAGE_START" ||
            event.type === "TOOL_CALL_RESULT"
          ? `message ${event.messageId}`
          : undefined
    if (id === undefined) continue
    if (taken.has(id)) return `${event.type} has the id ${id}, which is taken`
    taken.add(id)
  }
  return undefined
}

const fromTheWire = (session: Session, events: Events): Violation => {
  const wire = session.lines.map(({ text }) => text).join("\n")
  for (const event of events) {
    const ids = [
      "messageId" in event ? event.messageId : undefined,
      "toolCallId" in event ? event.toolCallId : undefined,
      "subagentRunId" in event ? event.subagentRunId : undefined
    ]
    const strange = ids.find(
      (id) => id !== undefined && !id.split(/[:#/]/).some((part) => part.length > 3 && wire.includes(`"${part}"`))
    )
    if (strange !== undefined) return `${event.type} has the id ${strange}, which is on no line`
  }
  return undefined
}

// --- 7 truthful ends ---------------------------------------------------------------------------

type End = "success" | "cancelled" | "error"

const ends: Readonly<Record<string, End>> = { completed: "success", interrupted: "cancelled", failed: "error" }

const endOf = (event: Agui.AguiEvent): End | undefined => {
  if (event.type === "RUN_ERROR") return "error"
  if (event.type !== "RUN_FINISHED") return undefined
  const { outcome } = event
  // A run that waits for tools of the page is not the end of a turn.
  if (outcome?.type === "interrupt" || (outcome?.type === "success" && outcome.pendingToolCallIds !== undefined)) return
  return outcome?.type ?? "success"
}

const truthfulEnds: Law = (translator, session) =>
  firstOf(
    () => endsOfTurns(translator, session),
    () => noneWaits(translator, session),
    () => withoutEnd(translator, session)
  )

const endsOfTurns = <S>(translator: Translator<S>, session: Session): Violation => {
  const { last, steps } = translate(translator, session)
  let spent = [0, 0]
  let before: readonly [number, number] | undefined
  let total: readonly [number, number] | undefined
  let isOpen = false
  // Sub-agents at work, and whether the run is theirs alone.
  const working = new Set<string>()
  let isTheirs = false
  const lanes = lanesOf(session)
  const lines = new Map(said(session).map((each) => [each.index, each]))
  for (const [index, events] of steps.entries()) {
    const { method, params = {} } = lines.get(index) ?? {}
    const isOurs = params["threadId"] === session.thread
    for (const event of events)
      if (event.type === "RUN_FINISHED" || event.type === "RUN_ERROR")
        for (const { inputTokens = 0, outputTokens = 0 } of event.usage ?? [])
          spent = [(spent[0] ?? 0) + inputTokens, (spent[1] ?? 0) + outputTokens]
    if (isOurs && method === "turn/started") isOpen = true
    const thread = String(params["threadId"])
    if (!isOurs && lanes.has(thread) && method === "turn/started") working.add(thread)
    if (!isOurs && method === "turn/completed") working.delete(thread)
    if (events.some(({ type }) => type === "RUN_STARTED")) isTheirs = !isOpen
    if (isOurs && method === "thread/tokenUsage/updated") {
      const usage = fields(params["tokenUsage"])
      const [all, one] = [countsOf(usage["total"]), countsOf(usage["last"])]
      // After a resume it is said once more what was spent before, by no turn.
      before = isOpen ? (before ?? [all[0] - one[0], all[1] - one[1]]) : all
      total = all
    }
    const found = events.map(endOf).filter((end) => end !== undefined)
    const isEnd = method === "turn/completed"
    const expected: ReadonlyArray<End | undefined> =
      isOurs && isEnd
        ? [ends[String(fields(params["turn"])["status"])]]
        : // Sub-agents that outlive the turn have a run until the last of them is done.
          isEnd && lanes.has(thread) && isTheirs && !isOpen && working.size === 0
          ? ["success"]
          : []
    // A prompt that is refused ends its run with the answer that says so.
    const isRefusal = method === undefined && found.every((end) => end === "error")
    const violation = isRefusal ? undefined : difference(`the ends at line ${index + 1}`, expected, found)
    if (violation !== undefined) return violation
    if (expected.length === 0 || !isOurs) continue
    if (before !== undefined && total !== undefined) {
      const wrong = difference(`tokens at line ${index + 1}`, [total[0] - before[0], total[1] - before[1]], spent)
      if (wrong !== undefined) return wrong
      before = total
    }
    spent = [0, 0]
    isOpen = false
  }
  const left = last.map(endOf).filter((end) => end !== undefined)
  // A sub-agent that outlived its turn has a run of its own, which has not failed.
  return difference(
    "the end of the process",
    left.map(() => (isOpen ? "error" : "success")),
    left
  )
}

/** With its turn every call is over: it has a result, or was given up. A client would show others as running. */
const noneWaits = <S>(translator: Translator<S>, session: Session): Violation => {
  const { steps } = translate(translator, session)
  const waiting = new Set<string>()
  const lines = new Map(said(session).map((each) => [each.index, each]))
  for (const [index, events] of steps.entries()) {
    for (const event of events)
      if (event.type === "TOOL_CALL_START" && laneOfEvent(event) === null) waiting.add(event.toolCallId)
      else if (event.type === "TOOL_CALL_RESULT") waiting.delete(event.toolCallId)
      else if (event.type === "TOOL_CALL_END" && event.metadata?.["abandoned"] === true)
        waiting.delete(event.toolCallId)
    const { method, params = {} } = lines.get(index) ?? {}
    if (method === "turn/completed" && params["threadId"] === session.thread && waiting.size > 0)
      return `line ${index + 1} ends the turn, and ${[...waiting].join()} waits`
  }
  return undefined
}

const countsOf = (usage: unknown): readonly [number, number] => {
  const { inputTokens, outputTokens } = fields(usage)
  return [Number(inputTokens ?? 0), Number(outputTokens ?? 0)]
}

/** What each reason makes of a turn that goes on. */
const reasons: ReadonlyArray<readonly [Translate.FinishReason, End]> = [
  [{ type: "end" }, "error"],
  // Codex exits with 0 in the middle of a turn (§3.22).
  [{ type: "exit", code: 0 }, "error"],
  [{ type: "exit", code: null, signal: "SIGKILL" }, "error"],
  [{ type: "cancelled" }, "cancelled"]
]

const withoutEnd = <S>(translator: Translator<S>, session: Session): Violation => {
  const ours = said(session).filter(({ params }) => params["threadId"] === session.thread)
  const turn = ours.findIndex(({ method }) => method === "turn/started")
  const middle = ours[turn + 2]
  if (turn === -1 || middle === undefined || ours[turn + 1]?.method === "turn/completed") return undefined
  if (middle.method === "turn/completed") return undefined
  const cut = { ...session, heard: session.heard.slice(0, middle.index + 1) }
  for (const [reason, end] of reasons) {
    const { last } = translate(translator, cut, "1.0", reason)
    const violation = difference(
      `a turn that ends by ${JSON.stringify(reason)}`,
      end,
      last.map(endOf).findLast((each) => each !== undefined)
    )
    if (violation !== undefined) return violation
  }
  return undefined
}

// --- 8 bounded state ---------------------------------------------------------------------------

/** Windows over the last ids: bounded by their size. */
const windows = new Set(["complete", "over"])

const sizeOf = (value: unknown, key = ""): number => {
  if (typeof value !== "object" || value === null || windows.has(key)) return 1
  const entries: Iterable<readonly [unknown, unknown]> =
    value instanceof Map ? value : value instanceof Set ? value.entries() : Object.entries(value)
  let size = 1
  for (const [name, inner] of entries) size += sizeOf(inner, typeof name === "string" ? name : "")
  return size
}

const idKey = /^(?:id|itemId|turnId|rootTurnId|callId|clientId|processId)$/

/** The lines of a session's turns with the ids of another. */
const renamed = (session: Session, from: number, round: number): ReadonlyArray<Line> =>
  session.lines.slice(from).map(({ from: side, text }) => ({
    from: side,
    text: JSON.stringify(parseJson(text), (key, value: unknown) =>
      typeof value === "string" && idKey.test(key) && value !== session.thread ? `${value}~${round}` : value
    )
  }))

const boundedState: Law = (translator, session) => {
  const ours = said(session).filter(({ params }) => params["threadId"] === session.thread)
  const first = ours.find(({ method }) => method === "turn/started")
  const end = ours.findLast(({ method }) => /^turn\/(?:started|completed)$/.test(method))
  if (first === undefined || end?.method !== "turn/completed" || told(session).late.size > 0) return undefined
  // What goes on after the last turn is open, and kept rightly.
  if (told(session).calls.size > told(session).results.length) return undefined
  let state = translator.initial({ thread: session.thread, dialect: "1.0" })
  for (const heard of session.heard.slice(0, first.index)) [state] = translator.step(state, heard)
  const sizes: Array<number> = []
  for (let round = 1; round <= 4; round++) {
    for (const heard of withLines(session, renamed(session, first.index, round)).heard)
      [state] = translator.step(state, heard)
    sizes.push(sizeOf(state))
  }
  const [, second = 0, , fourth = 0] = sizes
  return fourth > second ? `the state grows: ${sizes.join(", ")}` : undefined
}

// --- purity ------------------------------------------------------------------------------------

const pure: Law = (translator, session, seed) => {
  const pick = numbersFrom(seed)
  const { heard } = session
  const at = pick(heard.length)
  const { last, steps } = translate(translator, session)
  let state = translator.initial({ thread: session.thread, dialect: "1.0" })
  for (const each of heard.slice(0, at)) [state] = translator.step(state, each)
  let other = state
  for (const each of heard.slice(pick(heard.length)).slice(0, 20)) [other] = translator.step(other, each)
  translator.finish(other)
  for (const [offset, each] of heard.slice(at).entries()) {
    const [next, events] = translator.step(state, each)
    state = next
    const violation = difference(`line ${at + offset + 1} again`, steps[at + offset], events)
    if (violation !== undefined) return violation
  }
  return difference("the end again", last, translator.finish(state))
}

// --- questions ---------------------------------------------------------------------------------

const isQuestion = (method: string): boolean => /requestApproval$|requestUserInput$|elicitation\/request$/.test(method)

/** Each question of Codex ends a run once, whatever its number: 0 is one (§3.4). */
const questions: Law = (translator, session) => {
  const lanes = lanesOf(session)
  const asked = said(session).filter(
    ({ id, method, params }) => id !== undefined && isQuestion(method) && lanes.has(String(params["threadId"]))
  )
  const shownOnes = translate(translator, session).events.flatMap((event) =>
    event.type === "RUN_FINISHED" && event.outcome?.type === "interrupt" ? event.outcome.interrupts : []
  )
  return difference(
    "questions",
    asked.map(({ id }) => String(id)).sort(),
    [...new Set(shownOnes.map(({ id }) => id))].map((id) => id.split(":").at(-1)).sort()
  )
}

// --- tolerance ---------------------------------------------------------------------------------

const changes: ReadonlyArray<{ readonly to?: unknown }> = [{}, { to: null }, { to: 7 }, { to: "seven" }, { to: [7] }]

const keysOf = (value: unknown, path: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> =>
  isRecord(value)
    ? Object.entries(value).flatMap(([key, inner]) => [[...path, key], ...keysOf(inner, [...path, key])])
    : []

/** One key of a line of the server that carries nothing, changed. */
const damaged = (session: Session, pick: (below: number) => number): Session | undefined => {
  const at = pick(session.lines.length)
  const [line, heard] = [session.lines[at], session.heard[at]]
  if (line?.from !== "server" || heard?.decoded._tag !== "Known") return undefined
  const { name } = heard.decoded
  const paths =
    name === "response"
      ? (heard.answers === undefined ? [] : resultEssentials(heard.answers)).map((path) => `result.${path}`)
      : (essentials[name] ?? [])
  const message = parseJson(line.text)
  const need = needOf(paths)
  const free = keysOf(message).filter((path) => path.length > 1 && !isNeeded(need, path))
  const path = free[pick(Math.max(1, free.length))]
  const change = changes[pick(changes.length)]
  if (path === undefined || change === undefined) return undefined
  const copy = structuredClone(message)
  const holder = path.slice(0, -1).reduce<unknown>((value, key) => fields(value)[key], copy)
  const key = path.at(-1) ?? ""
  if (!isRecord(holder)) return undefined
  const changed = holder as Record<string, unknown>
  if ("to" in change) changed[key] = change.to
  else delete changed[key]
  return withLines(session, session.lines.with(at, { from: "server", text: JSON.stringify(copy) }))
}

/** A key that says nothing may be missing or of another type: what is shown is the same, and clients take it. */
const tolerant: Law = async (translator, session, seed) => {
  const pick = numbersFrom(seed)
  const other = damaged(session, pick) ?? damaged(session, pick) ?? damaged(session, pick)
  if (other === undefined) return undefined
  const gist = (events: Events) => [contents(events), events.map(endOf).filter((end) => end !== undefined)]
  const violation = difference(
    "what is shown of a damaged session",
    gist(translate(translator, session).events),
    gist(translate(translator, other).events)
  )
  return violation ?? legal(translator, other, seed)
}

/** The laws by name: the eight of the design, and what follows from them. */
export const laws: Readonly<Record<string, Law>> = {
  "1 always legal": legal,
  "2 nothing lost, nothing twice": lossless,
  "3 streamed ≡ whole": streamedIsWhole,
  "4 lanes": lanesApart,
  "5 chunking does not matter": chunkingDoesNotMatter,
  "6 ids are stable and unique": stableIds,
  "7 truthful ends": truthfulEnds,
  "8 bounded state": boundedState,
  purity: pure,
  questions,
  tolerance: tolerant
}
