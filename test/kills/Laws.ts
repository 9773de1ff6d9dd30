/** What holds after a kill, each as a function that names every breach. */
import type { BaseEvent, Message } from "@ag-ui/client"
import type { SseFrame } from "@agentwire/protocol/wire"
import type { Ended } from "./Page.ts"
import type { ThreadLedger } from "./ThreadLedger.ts"

/** Breaches of laws, in words. */
export type Breaches = ReadonlyArray<string>

/** Every event that was seen is in the log, with the same number and the same content, in the same order, once. */
export const keepsFrames = (who: string, seen: ReadonlyArray<SseFrame>, log: ReadonlyArray<SseFrame>): Breaches => {
  const at = seen.findIndex(({ data, id }, n) => log[n]?.id !== id || log[n]?.data !== data)
  if (at === -1) return []
  const [had, has] = [seen[at], log[at]]
  return [`${who} was sent ${had?.id} ${had?.data} as its event ${at}, and the log has ${has?.id} ${has?.data}`]
}

/** The numbers of events only grow. */
export const numbersGrow = (log: ReadonlyArray<SseFrame>): Breaches => {
  const numbers = log.map(({ id }) => Number.parseInt(id, 10))
  const at = numbers.findIndex((number, n) => n > 0 && number < (numbers[n - 1] ?? 0))
  return at === -1 ? [] : [`after event ${log[at - 1]?.id} comes ${log[at]?.id}`]
}

/** How a run ended. */
export interface RunEnd {
  readonly runId: string
  readonly end: "success" | "other" | string
}

interface LoggedEvent extends BaseEvent {
  readonly runId?: string
  readonly code?: string
  readonly message?: string
  readonly outcome?: { readonly type?: string }
}

/** The runs in a log, in order. One that is open has no end. */
export const runsIn = (log: ReadonlyArray<SseFrame>): ReadonlyArray<RunEnd> => {
  const runs: Array<{ runId: string; end: string }> = []
  for (const { data } of log) {
    const event: LoggedEvent = JSON.parse(data)
    const open = runs.at(-1)
    if (event.type === "RUN_STARTED") runs.push({ runId: event.runId ?? "", end: "none" })
    if (event.type === "RUN_FINISHED" && open !== undefined) open.end = event.outcome?.type ?? "success"
    if (event.type === "RUN_ERROR" && open !== undefined) open.end = `${event.code}: ${event.message}`
  }
  return runs
}

/** Every run has an end, and what the kill has cut says so. */
export const runsEnd = (log: ReadonlyArray<SseFrame>): Breaches =>
  runsIn(log).flatMap(({ end, runId }) =>
    /^(success|cancelled)$|^(BRIDGE_ENDED|cancelled|STOPPED|abort|aborted): ./.test(end)
      ? []
      : [`the run ${runId} ended with ${end}`]
  )

/** No turn was cut: the agents went on. */
export const nothingIsCut = (log: ReadonlyArray<SseFrame>): Breaches =>
  runsIn(log).flatMap(({ end, runId }) => (end.startsWith("BRIDGE_ENDED") ? [`the run ${runId} was cut: ${end}`] : []))

/** What agents wrote down of what they were told: each was started once, and told and answered everything once. */
export const toldOnce = (ledger: string, threads: number): Breaches => {
  const times = new Map<string, Map<string, number>>()
  for (const line of ledger.split("\n").filter(Boolean)) {
    const [what = "", id = ""] = line.split(" ")
    const ids = times.get(what) ?? new Map<string, number>()
    times.set(what, ids.set(id, (ids.get(id) ?? 0) + 1))
  }
  const of = (what: string): ReadonlyMap<string, number> => times.get(what) ?? new Map()
  const twice = (what: string): Breaches =>
    [...of(what)].flatMap(([id, count]) => (count > 1 ? [`${id} was ${what} ${count} times`] : []))
  const open = [...of("asked").keys()].filter((id) => !of("answered").has(id) && !of("cancelled").has(id))
  return [
    ...(of("started").size > threads ? [`${of("started").size} agents were started for ${threads} threads`] : []),
    ...twice("told"),
    ...twice("answered"),
    ...open.map((id) => `the answer to ${id} is lost`)
  ]
}

const markedText = (messages: ReadonlyArray<Message>): string =>
  messages
    .flatMap((each) => (each.role === "assistant" && typeof each.content === "string" ? [each.content] : []))
    .join("\n")

/** The words of an answer by the mark of its prompt, as they stand in a conversation. */
export const wordsIn = (messages: ReadonlyArray<Message>): ReadonlyMap<string, ReadonlyArray<number>> => {
  const words = new Map<string, Array<number>>()
  for (const [, mark = "", number] of markedText(messages).matchAll(/([\w.-]+):(\d+) /g))
    words.set(mark, [...(words.get(mark) ?? []), Number(number)])
  return words
}

/** What was said is there once, in order and without gaps; what was acknowledged is there, and what ended well is whole. */
export const saysEverythingOnce = (
  { prompts }: ThreadLedger,
  messages: ReadonlyArray<Message>,
  log: ReadonlyArray<SseFrame>
): Breaches => {
  const breaches: Array<string> = []
  const asked = messages.flatMap((each) => (each.role === "user" ? [each.id.replace(/^m-/, "")] : []))
  const words = wordsIn(messages)
  const wellEnded = new Set(runsIn(log).flatMap(({ end, runId }) => (end === "success" ? [runId] : [])))
  for (const { isStarted, isStopped, mark, order, words: count } of prompts.values()) {
    const times = asked.filter((each) => each === mark).length
    if (times > 1) breaches.push(`the prompt ${mark} is there ${times} times`)
    if (times === 0 && isStarted) breaches.push(`the prompt ${mark} was acknowledged and is not there`)
    const said = words.get(mark) ?? []
    if (said.some((number, n) => number !== n)) breaches.push(`the answer to ${mark} is ${said.join(" ")}`)
    if (said.length > count) breaches.push(`the answer to ${mark} has ${said.length} words of ${count}`)
    // The run of a turn that waits for a tool of the application has ended well, and the turn has not.
    if (said.length < count && order !== "page" && !isStopped && wellEnded.has(`r-${mark}`))
      breaches.push(`the answer to ${mark} ended well with ${said.length} words of ${count}`)
  }
  for (const mark of words.keys()) if (!prompts.has(mark)) breaches.push(`nobody has asked ${mark}`)
  return breaches
}

/** What a client shows of a message. Activities are not sent back by clients, and results have ids of their own. */
const shown = (message: Message): unknown => {
  switch (message.role) {
    case "assistant":
      return [message.role, message.id, message.content ?? "", message.toolCalls ?? []]
    case "tool":
      return [message.role, message.toolCallId, message.content]
    default:
      return [message.role, message.id, message.content]
  }
}

/**
 * A client that rejoined shows what one shows that has just come: all of it, once, in the same order. What it has said
 * itself stands where it said it: it had that before it knew what others had said. The result of a call whose turn was over
 * is its own alone.
 */
export const showsTheSame = (
  who: string,
  isOwn: (message: Message) => boolean,
  has: ReadonlyArray<Message>,
  fresh: ReadonlyArray<Message>
): Breaches => {
  const taken = new Set(fresh.flatMap((each) => (each.role === "tool" ? [each.toolCallId] : [])))
  const shared = has.filter((each) => each.role !== "tool" || taken.has(each.toolCallId))
  const lines = [shared, fresh].map((all) => all.map((each) => [isOwn(each), JSON.stringify(shown(each))] as const))
  const [mine = [], whole = []] = lines.map((all) => all.flatMap(([own, line]) => (own ? [] : [line])))
  const [said = [], allSaid = []] = lines.map((all) => all.flatMap(([own, line]) => (own ? [line] : [])).sort())
  return [...differs(who, mine, whole), ...differs(who, said, allSaid)]
}

const differs = (who: string, mine: ReadonlyArray<string>, whole: ReadonlyArray<string>): Breaches => {
  const at = Array.from({ length: Math.max(mine.length, whole.length) }).findIndex((_, n) => mine[n] !== whole[n])
  return at === -1 ? [] : [`${who} shows ${mine[at]} as message ${at}, and one that has just come ${whole[at]}`]
}

/** What a client showed before the kill is there after it, as far as it went. */
export const keepsMessages = (
  who: string,
  { prompts }: ThreadLedger,
  had: ReadonlyArray<Message>,
  fresh: ReadonlyArray<Message>
): Breaches =>
  had.flatMap((message) => {
    if (message.role === "user" && prompts.get(message.id.replace(/^m-/, ""))?.isStarted !== true) return []
    const now = fresh.find((each) =>
      message.role === "tool"
        ? each.role === "tool" && each.toolCallId === message.toolCallId
        : each.role === message.role && each.id === message.id
    )
    // A result that the page has itself is not there before somebody has taken it.
    if (now === undefined)
      return message.role === "tool" ? [] : [`${who} showed ${JSON.stringify(message)}, and it is gone`]
    const isKept = typeof message.content !== "string" || String(now.content).startsWith(message.content)
    const calls = message.role === "assistant" ? (message.toolCalls ?? []) : []
    const callsNow = now.role === "assistant" ? (now.toolCalls ?? []) : []
    const areCallsKept = calls.every(({ function: { arguments: begun }, id }) =>
      callsNow.some((each) => each.id === id && each.function.arguments.startsWith(begun))
    )
    return isKept && areCallsKept
      ? []
      : [`${who} showed ${JSON.stringify(message)}, and now it is ${JSON.stringify(now)}`]
  })

/** The agent remembers, once each, what it has answered to. */
export const remembersAnswered = (messages: ReadonlyArray<Message>, remembered: ReadonlyArray<string>): Breaches => {
  const twice = remembered.filter((mark, n) => remembered.indexOf(mark) !== n)
  const answered = [...wordsIn(messages).keys()]
  const forgotten = answered.filter((mark) => !remembered.includes(mark))
  return [
    ...twice.map((mark) => `the agent was told ${mark} twice`),
    ...forgotten.map((mark) => `the agent has answered ${mark} and forgotten it`)
  ]
}

/** Of a row of values the newest that was acknowledged is kept, or one that was given after it. */
export const keepsNewest = (
  what: string,
  { given, kept }: { readonly given: number; readonly kept: number },
  now: number
): Breaches =>
  now >= kept && now <= given ? [] : [`the ${what} is number ${now} of ${given}, and ${kept} was acknowledged`]

/** The shared state is the last that anybody has brought. */
export const keepsState = ({ possibleStates }: ThreadLedger, now: number): Breaches =>
  possibleStates.has(now) ? [] : [`the state is number ${now}, and the last that were brought ${[...possibleStates]}`]

/** Who comes back after its turn was cut learns how that ended. */
export const tellsReason = (
  who: string,
  told: Ended | undefined,
  log: ReadonlyArray<SseFrame>,
  nextRun: string
): Breaches => {
  const runs = runsIn(log)
  const cut = runs[runs.findIndex(({ runId }) => runId === nextRun) - 1]
  if (told === undefined || told === "cut" || cut?.end.startsWith("BRIDGE_ENDED") !== true) return []
  return told.error !== undefined ? [] : [`${who} was not told that its turn was cut: ${JSON.stringify(told)}`]
}
