/**
 * The translator for Codex, broken on purpose: a mutant for each bug that was found in a public client of Codex, or that
 * docs/wire/codex.md §3 invites to. Each is a small change of what goes into the real one or comes out of it.
 */
import type { Agui, Translate } from "@agentwire/protocol"
import { decodeValue, type Heard } from "@agentwire/protocol/codex"
import type { Violation } from "../law/Translator.ts"
import { type Fields, fields, type Law, real, type Session, type Translator } from "./Translator.ts"

type Event = Agui.AguiEvent
type Events = ReadonlyArray<Event>

/** A broken translator. */
export interface Mutant {
  /** A short name, which the test and its hints go by. */
  readonly id: string
  /** What the bug is, and where in docs/wire/codex.md the truth is. */
  readonly what: string
  /** What a law says about it. */
  readonly judge: (law: Law, session: Session, seed: number) => Violation | Promise<Violation>
}

/** What a line of the server is; of what is no message of it, nothing. */
interface Message {
  readonly method: string
  readonly params: Fields
  readonly id: unknown
  readonly whole: Fields
}

const messageOf = ({ decoded, from }: Heard): Message => {
  const whole = fields(from === "server" && decoded._tag === "Known" ? decoded.message : undefined)
  return { method: String(whole["method"] ?? ""), params: fields(whole["params"]), id: whole["id"], whole }
}

const rewritten = (heard: Heard, message: Fields): Heard => ({ ...heard, decoded: decodeValue(message) })

/** The real translator with something remembered beside it. */
interface Beside<M> {
  readonly inner: Translate.State<"codex">
  readonly memory: M
}

interface Change<M> {
  readonly memory: M
  /** The line as the translator gets it; undefined: not at all. */
  readonly into?: (heard: Heard, message: Message, memory: M) => Heard | undefined
  /** The events as they go out. `finish` is the cause of what the end gives. */
  readonly out?: (events: Events, cause: Message | "finish", memory: M) => Events
  readonly remember?: (memory: M, message: Message, events: Events) => M
  /** The thread that it hears. */
  readonly thread?: (thread: string) => string
}

const changed = <M>({
  into = (heard) => heard,
  memory: first,
  out = (events) => events,
  remember = (memory) => memory,
  thread: heardThread = (id) => id
}: Change<M>): Translator<Beside<M>> => ({
  initial: ({ dialect, thread }) => ({ inner: real.initial({ dialect, thread: heardThread(thread) }), memory: first }),
  step: ({ inner, memory }, heard) => {
    const message = messageOf(heard)
    const given = into(heard, message, memory)
    const [next, events] = given === undefined ? ([inner, []] as const) : real.step(inner, given)
    return [{ inner: next, memory: remember(memory, message, events) }, out(events, message, memory)]
  },
  finish: ({ inner, memory }, reason) => out(real.finish(inner, reason), "finish", memory),
  waiting: ({ inner, memory }) => out(real.waiting(inner), "finish", memory)
})

const mutant = <M>(id: string, what: string, change: Change<M>): Mutant => {
  const translator = changed(change)
  return { id, what, judge: (law, session, seed) => law(translator, session, seed) }
}

/** Lines of the server that go in otherwise: undefined, not at all. */
const linesIn = (id: string, what: string, into: (message: Message) => Fields | undefined): Mutant =>
  mutant(id, what, {
    memory: null,
    into: (heard, message) => {
      if (message.method === "") return heard
      const given = into(message)
      return given === undefined ? undefined : given === message.whole ? heard : rewritten(heard, given)
    }
  })

/** Events that go out otherwise: undefined, not at all. */
const eventsOut = (
  id: string,
  what: string,
  out: (event: Event, cause: Message | "finish") => Event | undefined
): Mutant =>
  mutant(id, what, {
    memory: null,
    out: (events, cause) => events.flatMap((event) => out(event, cause) ?? [])
  })

const isMethod = (cause: Message | "finish", ...methods: ReadonlyArray<string>): boolean =>
  cause !== "finish" && methods.includes(cause.method)

const withParams = ({ params, whole }: Message, more: Fields): Fields => ({ ...whole, params: { ...params, ...more } })

const withItem = (message: Message, more: Fields): Fields =>
  withParams(message, { item: { ...fields(message.params["item"]), ...more } })

const itemOf = ({ params }: Message): Fields => fields(params["item"])

const runEnd: Event = { type: "RUN_FINISHED", threadId: "thread", runId: "thread:1", outcome: { type: "success" } }

const textOf = (id: string, words: string): Events => [
  { type: "TEXT_MESSAGE_START", messageId: id, role: "assistant" },
  { type: "TEXT_MESSAGE_CONTENT", messageId: id, delta: words },
  { type: "TEXT_MESSAGE_END", messageId: id }
]

const isEnd = ({ type }: Event): boolean => type === "RUN_FINISHED" || type === "RUN_ERROR"

const beforeEnd = (events: Events, more: Events): Events => {
  const at = events.findIndex(isEnd)
  return at === -1 ? [...events, ...more] : events.toSpliced(at, 0, ...more)
}

const withUsage = (event: Event, change: (usage: Agui.TokenUsage) => Agui.TokenUsage): Event =>
  (event.type === "RUN_FINISHED" || event.type === "RUN_ERROR") && event.usage !== undefined
    ? { ...event, usage: event.usage.map(change) }
    : event

/** Turns that are over. Law 8 is not about them: it leaves out what is called so. */
interface Over {
  readonly over: ReadonlySet<unknown>
}

const nothingOver: Over = { over: new Set() }

const withOver = (memory: Over, { method, params }: Message): Over =>
  method === "turn/completed" ? { over: new Set([...memory.over, fields(params["turn"])["id"]]) } : memory

let randomIds = 0

/** The broken translators. */
export const mutants: ReadonlyArray<Mutant> = [
  // --- items that are never closed, or late (§3.12, §3.13)
  eventsOut("never closed", "nothing closes what Codex leaves open at the end of a turn (§3.12)", (event, cause) =>
    isMethod(cause, "turn/completed") && /_(?:MESSAGE|CALL)_END$/.test(event.type) ? undefined : event
  ),
  eventsOut("cut is whole", "a text that was cut passes for a whole one, and is said twice (§3.12)", (event) => {
    if (event.type === "CUSTOM" && event.name === "message_abandoned") return undefined
    if (!event.type.endsWith("_END") || event.metadata === undefined) return event
    const { metadata: _, ...rest } = event
    return rest as Event
  }),
  mutant("retry goes on", "a text that is tried again is put behind the one that was cut (§3.12)", {
    memory: { open: undefined as string | undefined, again: undefined as string | undefined },
    into: (heard, message) => (message.method === "error" && message.params["willRetry"] === true ? undefined : heard),
    remember: (memory, { method, params }) => {
      if (method === "item/agentMessage/delta")
        return memory.again === undefined || memory.open === params["itemId"]
          ? { ...memory, open: String(params["itemId"]) }
          : memory
      return method === "error" && params["willRetry"] === true ? { ...memory, again: memory.open } : memory
    },
    out: (events, _, { again }) =>
      again === undefined
        ? events
        : events.map((event) =>
            "messageId" in event && event.type.startsWith("TEXT_MESSAGE") && event.messageId !== again
              ? ({ ...event, messageId: again } as Event)
              : event
          )
  }),
  mutant("late items", "what comes after the end of its turn is thrown away (§3.13)", {
    memory: nothingOver,
    into: (heard, { method, params }, { over }) =>
      method.startsWith("item/") && over.has(params["turnId"]) ? undefined : heard,
    remember: withOver
  }),
  mutant("late items begin a turn", "what comes after the end of its turn begins another (§3.13)", {
    memory: nothingOver,
    remember: withOver,
    out: (events, cause, { over }) =>
      cause !== "finish" && cause.method === "item/completed" && over.has(cause.params["turnId"])
        ? [{ type: "RUN_STARTED", threadId: "thread", runId: "late" }, ...events, runEnd]
        : events
  }),
  // --- ends (§3.8, §3.9, §3.11, §3.22)
  mutant("retry is the end", "an error that is tried again ends the run (§3.9)", {
    memory: null,
    out: (events, cause) =>
      cause !== "finish" && cause.method === "error" && cause.params["willRetry"] === true
        ? [...events, { type: "RUN_ERROR", message: "Reconnecting", code: "error" }]
        : events
  }),
  mutant("error twice", "an error ends the run, and the end of its turn once more (§3.9)", {
    memory: null,
    out: (events, cause) =>
      cause !== "finish" && cause.method === "error" && cause.params["willRetry"] === false
        ? [...events, { type: "RUN_ERROR", message: "Broken", code: "error" }]
        : events
  }),
  mutant("idle is the end", "a thread that is idle has ended its turn (§3.8)", {
    memory: null,
    out: (events, cause) => {
      if (cause !== "finish" && cause.method === "turn/completed") return events.filter((event) => !isEnd(event))
      const isIdle = cause !== "finish" && fields(cause.params["status"])["type"] === "idle"
      return isIdle && isMethod(cause, "thread/status/changed") ? [...events, runEnd] : events
    }
  }),
  eventsOut("failed is a success", "a turn that has failed is done", (event) =>
    event.type === "RUN_ERROR" ? runEnd : event
  ),
  eventsOut("interrupted is a success", "a turn that was interrupted is done (§3.11)", (event) =>
    event.type === "RUN_FINISHED" && event.outcome?.type === "cancelled" ? runEnd : event
  ),
  eventsOut("interrupted is an error", "a turn that was interrupted has failed (§3.11)", (event) =>
    event.type === "RUN_FINISHED" && event.outcome?.type === "cancelled"
      ? { type: "RUN_ERROR", message: "interrupted", code: "interrupted" }
      : event
  ),
  eventsOut(
    "exit 0 is a success",
    "a process that exits with 0 in mid-turn has done its work (§3.22)",
    (event, cause) => (cause === "finish" && event.type === "RUN_ERROR" ? runEnd : event)
  ),
  mutant("steer is a turn", "what is said in the middle of a turn begins another run (§3.20)", {
    memory: 0,
    remember: (said, { method, params }, events) =>
      events.some(isEnd)
        ? 0
        : method === "item/completed" && fields(params["item"])["type"] === "userMessage"
          ? said + 1
          : said,
    out: (events, cause, said) =>
      cause !== "finish" && cause.method === "item/started" && itemOf(cause)["type"] === "userMessage" && said > 0
        ? [runEnd, { type: "RUN_STARTED", threadId: "thread", runId: "steered" }, ...events]
        : events
  }),
  mutant("the end says it again", "what the end of a turn repeats is a message of its own (§2)", {
    memory: null,
    out: (events, cause) => {
      if (cause === "finish" || cause.method !== "turn/completed") return events
      const { items } = fields(cause.params["turn"])
      const texts = Array.isArray(items) ? items.map(fields).filter(({ type }) => type === "agentMessage") : []
      return beforeEnd(
        events,
        texts.flatMap(({ id, text }) => textOf(`${String(id)}:end`, String(text)))
      )
    }
  }),
  // --- JSON-RPC (§3.4)
  linesIn("id 0", "a question with the id 0 is none (§3.4)", ({ id, whole }) => {
    if (id !== 0) return whole
    const { id: _, ...rest } = whole
    return rest
  }),
  mutant("ids of both sides", "a question whose id a request of the client had is its answer (§3.4)", {
    memory: null,
    into: (heard, { id }) => (typeof id === "number" && id > 0 ? undefined : heard)
  }),
  linesIn("questions by items", "a question whose item was never started is none (§3.32)", ({ method, whole }) =>
    /requestUserInput$|permissions\/requestApproval$/.test(method) ? undefined : whole
  ),
  linesIn("MCP is not asked", "a question about a tool of an MCP server is not shown (§3.24)", ({ method, whole }) =>
    method === "mcpServer/elicitation/request" ? undefined : whole
  ),
  // --- sub-agents and threads (§3.17, §3.15)
  eventsOut("mixed lanes", "what a sub-agent says is said by the thread (§3.17)", (event) => {
    if (!("subagentRunId" in event) || event.subagentRunId === undefined || event.type.startsWith("SUBAGENT_"))
      return event
    const { subagentRunId: _, ...rest } = event as Event & { readonly subagentRunId: string }
    return rest as Event
  }),
  mutant("two lanes", "what a sub-agent says is mapped twice: as its own, and as the thread's (§3.17)", {
    memory: null,
    out: (events) =>
      events.flatMap((event) => {
        if (!event.type.startsWith("TEXT_MESSAGE") || !("subagentRunId" in event) || event.subagentRunId === undefined)
          return [event]
        const { subagentRunId: _, ...rest } = event as Event & { readonly subagentRunId: string }
        return [event, { ...rest, messageId: `${"messageId" in event ? event.messageId : ""}:again` } as Event]
      })
  }),
  linesIn("lanes need their call", "a sub-agent that nobody has named is not heard (§3.17)", (message) =>
    itemOf(message)["type"] === "collabAgentToolCall" ? withItem(message, { receiverThreadIds: [] }) : message.whole
  ),
  mutant("the child ends the run", "the end of a sub-agent's turn is the end of the run (§3.17)", {
    memory: undefined as string | undefined,
    remember: (thread, { method, params }) =>
      thread ?? (method === "turn/started" ? String(params["threadId"]) : undefined),
    out: (events, cause, thread) =>
      cause !== "finish" &&
      cause.method === "turn/completed" &&
      thread !== undefined &&
      cause.params["threadId"] !== thread
        ? [...events, runEnd]
        : events
  }),
  mutant("any thread", "what another thread of the connection says is heard (§3.15)", {
    memory: undefined as unknown,
    into: (heard, message, thread) =>
      thread !== undefined && message.method.startsWith("item/") && message.params["threadId"] !== thread
        ? rewritten(heard, withParams(message, { threadId: thread }))
        : heard,
    remember: (thread, { method, params }) => thread ?? (method === "turn/started" ? params["threadId"] : undefined)
  }),
  // --- contents (§3.10, §3.16, §3.18)
  linesIn("output of deltas", "the output of a command is what was streamed of it (§3.16)", (message) =>
    message.method === "item/completed" && itemOf(message)["type"] === "commandExecution"
      ? withItem(message, { aggregatedOutput: null })
      : message.whole
  ),
  linesIn("deltas only", "a text is what was streamed of it", (message) =>
    message.method === "item/completed" && /^(?:agentMessage|reasoning|plan)$/.test(String(itemOf(message)["type"]))
      ? undefined
      : message.whole
  ),
  mutant("deltas and the whole", "a text is said with its deltas, and whole", {
    memory: null,
    out: (events, cause) =>
      cause !== "finish" && cause.method === "item/completed" && itemOf(cause)["type"] === "agentMessage"
        ? [...events, ...textOf(`${String(itemOf(cause)["id"])}:whole`, String(itemOf(cause)["text"]))]
        : events
  }),
  eventsOut("parts run together", "the parts of a thought run together (§3.18)", (event) =>
    event.type === "REASONING_MESSAGE_CONTENT" ? { ...event, delta: event.delta.replaceAll("\n\n", "") || " " } : event
  ),
  linesIn("raw thoughts", "raw reasoning is dropped (§3.18)", (message) =>
    itemOf(message)["type"] === "reasoning"
      ? withItem(message, { content: [] })
      : message.method === "item/reasoning/textDelta"
        ? undefined
        : message.whole
  ),
  eventsOut("no error flag", "a command that failed has succeeded", (event) => {
    if (event.type !== "TOOL_CALL_RESULT") return event
    const { metadata: _, ...rest } = event
    return rest
  }),
  linesIn("declined is done", "what the person declined has been done (§3.11)", (message) =>
    itemOf(message)["status"] === "declined" ? withItem(message, { status: "completed" }) : message.whole
  ),
  // --- tokens (§3.19)
  mutant("tokens of the thread", "a run costs what the thread has cost (§3.19)", {
    memory: undefined as Fields | undefined,
    remember: (total, { method, params }) =>
      method === "thread/tokenUsage/updated" ? fields(fields(params["tokenUsage"])["total"]) : total,
    out: (events, _, total) =>
      total === undefined
        ? events
        : events.map((event) =>
            withUsage(event, (usage) => ({
              ...usage,
              inputTokens: Number(total["inputTokens"]),
              outputTokens: Number(total["outputTokens"])
            }))
          )
  }),
  mutant("tokens of a call", "a run costs what its last model call has cost (§3.19)", {
    memory: undefined as Fields | undefined,
    remember: (last, { method, params }) =>
      method === "thread/tokenUsage/updated" ? fields(fields(params["tokenUsage"])["last"]) : last,
    out: (events, _, last) =>
      last === undefined
        ? events
        : events.map((event) => withUsage(event, (usage) => ({ ...usage, inputTokens: Number(last["inputTokens"]) })))
  }),
  eventsOut("cache", "the cache is taken off the input (§3.19)", (event) =>
    withUsage(event, (usage) => ({ ...usage, inputTokens: (usage.inputTokens ?? 0) - (usage.cachedInputTokens ?? 0) }))
  ),
  // --- what only laws notice
  mutant("random ids", "messages get ids that are on no wire", {
    memory: null,
    out: (events) => {
      const ids = new Map<string, string>()
      return events.map((event) => {
        if (!("messageId" in event) || typeof event.messageId !== "string") return event
        const id = ids.get(event.messageId) ?? `fresh-${randomIds++}`
        ids.set(event.messageId, id)
        return { ...event, messageId: id } as Event
      })
    }
  }),
  mutant("everything is kept", "every line is remembered", {
    memory: [] as ReadonlyArray<unknown>,
    remember: (lines, { whole }) => [...lines, whole]
  }),
  mutant("half characters", "the pieces of a character are replaced", {
    memory: null,
    into: (heard, message) => {
      const { delta } = message.params
      return typeof delta === "string"
        ? rewritten(heard, withParams(message, { delta: Buffer.from(delta).toString() }))
        : heard
    }
  }),
  mutant("strict", "a line with something odd is thrown away", {
    memory: null,
    into: (heard) => (heard.decoded._tag === "Known" && heard.decoded.odd !== undefined ? undefined : heard)
  })
]
