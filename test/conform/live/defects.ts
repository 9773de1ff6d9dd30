/** The canned server broken on purpose, one way a row, with the scenario and the rule that must find it. */
import type { LiveRuleId } from "../../../packages/cli/src/conform/live/index.ts"
import type { Transport } from "../../../packages/cli/src/conform/live/Target.ts"
import { type Behaviour, good } from "./CannedServer.ts"
import type { Event } from "./Script.ts"

/** One way to be broken. */
export interface Defect {
  readonly name: string
  readonly how: Partial<Behaviour>
  readonly scenario: string
  readonly rule: LiveRuleId | `AGUI-${string}`
  /** Plain AG-UI unless it says otherwise. */
  readonly transport?: Transport
  readonly timeoutMs?: number
  readonly maxAnswerBytes?: number
  readonly token?: string
}

type Change = (events: ReadonlyArray<Event>) => ReadonlyArray<Event>

const changed = (change: Change): Partial<Behaviour> => ({ events: change })

/** Changes the events of one type. */
const each = (type: string, change: (event: Event) => Event | ReadonlyArray<Event>): Partial<Behaviour> =>
  changed((events) => events.flatMap((event) => (event["type"] === type ? change(event) : event)))

const without = (type: string): Partial<Behaviour> => each(type, () => [])

const finishedAs = (outcome: Event): Partial<Behaviour> => each("RUN_FINISHED", (event) => ({ ...event, outcome }))

const after = (type: string, more: (event: Event) => Event): Partial<Behaviour> =>
  each(type, (event) => [event, more(event)])

const wire: ReadonlyArray<Defect> = [
  {
    name: "ends lines in CRLF",
    how: { frame: (event) => `data: ${JSON.stringify(event)}\r\n\r\n` },
    scenario: "LIVE-001",
    rule: "AGUI-WIRE-001"
  },
  {
    name: "ends with [DONE]",
    how: { end: (response) => response.end("data: [DONE]\n\n") },
    scenario: "LIVE-001",
    rule: "AGUI-WIRE-002"
  },
  {
    name: "says it sends JSON",
    how: { head: (response) => response.writeHead(200, { "content-type": "application/json" }) },
    scenario: "LIVE-001",
    rule: "AGUI-WIRE-008"
  },
  {
    name: "answers with 500",
    how: { head: (response) => response.writeHead(500, { "content-type": "text/event-stream" }) },
    scenario: "LIVE-001",
    rule: "AGUI-WIRE-007"
  },
  {
    name: "speaks no HTTP",
    how: {
      first: (_server, request) => {
        request.socket.end("220 smtp.example.com ready\r\n")
        return true
      }
    },
    scenario: "LIVE-001",
    rule: "LIVE-NET-001"
  },
  {
    name: "resets every connection",
    how: {
      first: (_server, request) => {
        request.socket.resetAndDestroy()
        return true
      }
    },
    scenario: "LIVE-001",
    rule: "LIVE-NET-001"
  },
  {
    name: "cuts the connection in the middle of an answer",
    how: { end: (response) => response.destroy() },
    scenario: "LIVE-001",
    rule: "LIVE-NET-001"
  },
  {
    name: "does not close the response",
    how: { end: () => undefined },
    scenario: "LIVE-001",
    rule: "LIVE-TIME-003",
    timeoutMs: 2000
  },
  {
    name: "hangs after the first event",
    how: { ...changed((events) => events.slice(0, 1)), end: () => undefined },
    scenario: "LIVE-001",
    rule: "LIVE-TIME-001",
    timeoutMs: 500
  },
  {
    name: "takes its time",
    how: { pieceMs: 150 },
    scenario: "LIVE-002",
    rule: "LIVE-TIME-004",
    // It has to talk until the end, and a busy machine has pauses of its own.
    timeoutMs: 6000
  },
  {
    name: "never answers",
    how: { first: ({ behaviour }, { method }) => behaviour !== good && method === "POST" },
    scenario: "LIVE-001",
    rule: "LIVE-TIME-001",
    timeoutMs: 500
  },
  {
    name: "never stops talking",
    how: {
      first: (_server, request, response) => {
        if (request.method !== "POST") return false
        response.writeHead(200, { "content-type": "text/event-stream" })
        const flood = `data: ${JSON.stringify({ type: "CUSTOM", name: "x", value: "y".repeat(5000) })}\n\n`.repeat(20)
        const pour = (): void => {
          while (!response.destroyed && response.write(flood)) {}
        }
        response.on("drain", pour)
        pour()
        return true
      }
    },
    scenario: "LIVE-001",
    rule: "LIVE-TIME-002",
    maxAnswerBytes: 1_000_000
  },
  {
    name: "nests a value so deep that it cannot be written again",
    how: {
      frame: (event) =>
        event["type"] === "RUN_STARTED"
          ? `data: ${JSON.stringify(event)}\n\ndata: ${'{"type":'.repeat(200_000)}1${"}".repeat(200_000)}\n\n`
          : good.frame(event, 0)
    },
    scenario: "LIVE-001",
    rule: "AGUI-WIRE-002"
  },
  {
    name: "sends binary rubbish",
    how: { frame: (_event, index) => Buffer.from(Array.from({ length: 3000 }, (_, i) => (i * index * 7919) % 256)) },
    scenario: "LIVE-001",
    rule: "AGUI-WIRE-004"
  },
  {
    name: "answers with an empty stream",
    how: changed(() => []),
    scenario: "LIVE-001",
    rule: "AGUI-RUN-006"
  },
  { name: "has no RUN_FINISHED", how: without("RUN_FINISHED"), scenario: "LIVE-001", rule: "AGUI-RUN-005" },
  {
    name: "goes on after RUN_FINISHED",
    how: after("RUN_FINISHED", () => ({ type: "CUSTOM", name: "late", value: 1 })),
    scenario: "LIVE-001",
    rule: "AGUI-RUN-003"
  }
]

const answers: ReadonlyArray<Defect> = [
  {
    name: "has no text",
    how: changed((events) => events.filter(({ type }) => !String(type).startsWith("TEXT"))),
    scenario: "LIVE-001",
    rule: "LIVE-ANSWER-001"
  },
  {
    name: "fails always",
    how: changed((events) => [...events.slice(0, 1), { type: "RUN_ERROR", message: "No key." }]),
    scenario: "LIVE-001",
    rule: "LIVE-ANSWER-001"
  },
  {
    name: "sends a long answer in one piece",
    how: changed((events) => {
      const delta = events.map((event) => event["delta"] ?? "").join("")
      const [first] = events.filter(({ type }) => type === "TEXT_MESSAGE_CONTENT")
      return events.flatMap((event): Event | ReadonlyArray<Event> =>
        event === first ? { ...event, delta } : event["type"] === "TEXT_MESSAGE_CONTENT" ? [] : event
      )
    }),
    scenario: "LIVE-002",
    rule: "LIVE-ANSWER-002"
  },
  {
    name: "writes Latin-1",
    how: { frame: (event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`, "latin1") },
    scenario: "LIVE-003",
    rule: "LIVE-ANSWER-003"
  },
  {
    name: "encodes twice",
    how: { frame: (event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`).toString("latin1") },
    scenario: "LIVE-003",
    rule: "LIVE-ANSWER-003"
  },
  {
    name: "cuts characters in two",
    how: changed((events) =>
      events.flatMap((event): Event | ReadonlyArray<Event> => {
        const { delta } = event
        const cut = typeof delta === "string" ? delta.search(/[\ud800-\udbff]/) + 1 : 0
        return cut > 0 && typeof delta === "string"
          ? [
              { ...event, delta: delta.slice(0, cut) },
              { ...event, delta: delta.slice(cut) }
            ]
          : event
      })
    ),
    scenario: "LIVE-003",
    rule: "LIVE-ANSWER-004"
  },
  {
    name: "leaves a message open",
    how: without("TEXT_MESSAGE_END"),
    scenario: "LIVE-001",
    rule: "AGUI-TEXT-004"
  },
  {
    name: "does not start a message",
    how: without("TEXT_MESSAGE_START"),
    scenario: "LIVE-001",
    rule: "AGUI-TEXT-002"
  },
  {
    name: "invents event types, for a 0.0 client",
    how: after("RUN_STARTED", () => ({ type: "PROGRESS", percent: 50 })),
    scenario: "LIVE-004",
    rule: "AGUI-SCHEMA-004"
  },
  {
    name: "has fractions in timestamps, for a 1.0 client",
    how: each("RUN_STARTED", (event) => ({ ...event, timestamp: 1.5 })),
    scenario: "LIVE-005",
    rule: "AGUI-SCHEMA-003"
  },
  {
    name: "declares no protocolVersion",
    how: each("RUN_STARTED", ({ runId, threadId, type }) => ({ type, threadId, runId })),
    scenario: "LIVE-005",
    rule: "AGUI-VERSION-001"
  },
  {
    name: "refuses fields it does not know",
    how: {
      problem: (body) =>
        typeof body === "object" && body !== null && "futureField" in body ? "unknown field" : good.problem(body)
    },
    scenario: "LIVE-006",
    rule: "LIVE-VERSION-001"
  },
  {
    name: "answers with another threadId",
    how: each("RUN_STARTED", (event) => ({ ...event, threadId: "default" })),
    scenario: "LIVE-001",
    rule: "AGUI-IDENTITY-001"
  },
  {
    name: "makes a runId of its own",
    how: changed((events) => events.map((event) => ("runId" in event ? { ...event, runId: "run-1" } : event))),
    scenario: "LIVE-001",
    rule: "AGUI-IDENTITY-002"
  },
  {
    name: "ends another run than it began",
    how: each("RUN_FINISHED", (event) => ({ ...event, runId: "run-1" })),
    scenario: "LIVE-001",
    rule: "AGUI-IDENTITY-003"
  }
]

const tools: ReadonlyArray<Defect> = [
  {
    name: "keeps the results of its tools to itself",
    how: without("TOOL_CALL_RESULT"),
    scenario: "LIVE-010",
    rule: "LIVE-TOOL-001"
  },
  {
    name: "answers the client's tool itself",
    how: after("TOOL_CALL_END", ({ toolCallId }) => ({
      type: "TOOL_CALL_RESULT",
      messageId: `r-${toolCallId}`,
      toolCallId,
      content: "Forwarded to client"
    })),
    scenario: "LIVE-011",
    rule: "AGUI-TOOL-RESULT-005"
  },
  {
    name: "fails where the client's tool is called",
    how: each("RUN_FINISHED", () => ({ type: "RUN_ERROR", message: "Unknown tool." })),
    scenario: "LIVE-011",
    rule: "LIVE-FRONTEND-001"
  },
  {
    name: "interrupts for the client's tool",
    how: finishedAs({ type: "interrupt", interrupts: [{ id: "i", reason: "tool_call" }] }),
    scenario: "LIVE-011",
    rule: "LIVE-FRONTEND-001"
  },
  {
    name: "lists calls as pending that are not",
    how: finishedAs({ type: "success", pendingToolCallIds: ["another"] }),
    scenario: "LIVE-011",
    rule: "AGUI-TOOL-CALL-010"
  },
  {
    name: "sends pendingToolCallIds to a 0.0 client",
    how: finishedAs({ type: "success", pendingToolCallIds: [] }),
    scenario: "LIVE-014",
    rule: "AGUI-SCHEMA-003"
  },
  {
    name: "makes the call again when its result comes",
    how: {
      events: (events, { messages }) => {
        const call = messages.findLast(({ role }) => role === "assistant") as unknown as {
          readonly toolCalls?: ReadonlyArray<{ readonly id: string; readonly function: { readonly name: string } }>
        }
        const again = (call?.toolCalls ?? []).flatMap(({ function: { name }, id }) => [
          { type: "TOOL_CALL_START", toolCallId: id, toolCallName: name },
          { type: "TOOL_CALL_END", toolCallId: id }
        ])
        return [...events.slice(0, 1), ...again, ...events.slice(1)]
      }
    },
    scenario: "LIVE-012",
    rule: "LIVE-FRONTEND-002"
  },
  {
    name: "forgets the result of the client's tool",
    how: each("TEXT_MESSAGE_CONTENT", (event) => ({ ...event, delta: "Done." })),
    scenario: "LIVE-012",
    rule: "LIVE-FRONTEND-003"
  },
  {
    name: "mixes up the arguments of parallel calls",
    how: changed((events) => {
      const first = events.find(({ type }) => type === "TOOL_CALL_START")?.["toolCallId"]
      return events.map((event) => (event["type"] === "TOOL_CALL_ARGS" ? { ...event, toolCallId: first } : event))
    }),
    scenario: "LIVE-013",
    rule: "LIVE-TOOL-002"
  },
  {
    name: "gives parallel calls one id",
    how: changed((events) => events.map((event) => ("toolCallId" in event ? { ...event, toolCallId: "c" } : event))),
    scenario: "LIVE-013",
    rule: "AGUI-TOOL-CALL-001"
  }
]

const rest = "copilotkit-rest"

const endings: ReadonlyArray<Defect> = [
  {
    name: "takes no notice of a stop",
    how: { onStop: (_server, _threadId, response) => void response.end('{"stopped":true}'), pieceMs: 40 },
    scenario: "LIVE-020",
    rule: "LIVE-STOP-002",
    transport: rest,
    timeoutMs: 2500
  },
  {
    name: "has no stop",
    how: { onStop: (_server, _threadId, response) => good.refuse(response, 404, "no such route") },
    scenario: "LIVE-020",
    rule: "LIVE-STOP-001",
    transport: rest
  },
  {
    name: "answers a stop with HTML",
    how: {
      onStop: (server, threadId, response) => {
        server.threads.get(threadId)?.active?.stop.abort()
        response.end("<p>stopped</p>")
      }
    },
    scenario: "LIVE-020",
    rule: "LIVE-STOP-001",
    transport: "copilotkit-single"
  },
  {
    name: "reports a stopped run as a success",
    how: {
      stopped: ({ runId, threadId }, open) => [...open, { type: "RUN_FINISHED", threadId, runId }]
    },
    scenario: "LIVE-021",
    rule: "LIVE-STOP-003",
    transport: rest
  },
  {
    name: "sends cancelled to a 0.0 client",
    how: { stopped: (input, open) => good.stopped({ ...input, protocolVersion: "1.0" }, open) },
    scenario: "LIVE-020",
    rule: "AGUI-SCHEMA-003",
    transport: rest
  },
  {
    name: "leaves the message of a stopped run open",
    how: { stopped: (input) => good.stopped(input, []) },
    scenario: "LIVE-021",
    rule: "AGUI-TEXT-004",
    transport: rest
  },
  {
    name: "lets a stopped run just end",
    how: { stopped: () => [] },
    scenario: "LIVE-020",
    rule: "AGUI-RUN-005",
    transport: rest
  },
  {
    name: "keeps a thread locked after a stop",
    how: {
      events: (events, _input, thread) => {
        const locked = thread.runs.some(({ stop }) => stop.signal.aborted)
        return locked ? [{ type: "RUN_ERROR", message: "The thread is locked." }] : events
      }
    },
    scenario: "LIVE-020",
    rule: "LIVE-STOP-004",
    transport: rest,
    timeoutMs: 20_000
  },
  {
    name: "finds fault with a stop where nothing runs",
    how: {
      onStop: (server, threadId, response) =>
        server.threads.get(threadId)?.active === undefined
          ? good.refuse(response, 404, "no run")
          : good.onStop(server, threadId, response)
    },
    scenario: "LIVE-023",
    rule: "LIVE-STOP-005",
    transport: rest
  },
  {
    name: "stops all threads",
    how: {
      onStop: (server, threadId, response) => {
        good.onStop(server, threadId, response)
        for (const { active } of server.threads.values()) active?.stop.abort()
      }
    },
    scenario: "LIVE-022",
    rule: "LIVE-STOP-006",
    transport: rest
  },
  {
    name: "keeps a thread locked after its client has hung up",
    how: { endsWithClient: false, pieceMs: 40 },
    scenario: "LIVE-024",
    rule: "LIVE-ABORT-001",
    timeoutMs: 3000
  }
]

const threads: ReadonlyArray<Defect> = [
  {
    name: "shows one thread what another says",
    how: {
      events: (events, input, _thread, server) => {
        const others = [...server.threads.entries()].filter(([id]) => id !== input.threadId)
        const leaked = others.flatMap(([, { runs }]) => runs.flatMap(({ said }) => said))
        return [
          ...events.slice(0, 1),
          ...leaked.filter(({ type }) => String(type).startsWith("TEXT")),
          ...events.slice(1)
        ]
      }
    },
    scenario: "LIVE-030",
    rule: "LIVE-THREAD-001"
  },
  {
    name: "counts messages from 1 on every thread",
    how: changed((events) => events.map((event) => ("messageId" in event ? { ...event, messageId: "msg-1" } : event))),
    scenario: "LIVE-030",
    rule: "LIVE-THREAD-003"
  },
  {
    name: "streams the whole conversation in every run",
    how: {
      events: (events, _input, thread) => [
        ...events.slice(0, 1),
        ...thread.runs.flatMap(({ said }) => said.filter(({ type }) => String(type).startsWith("TEXT"))),
        ...events.slice(1)
      ]
    },
    scenario: "LIVE-031",
    rule: "AGUI-MESSAGES-003"
  },
  {
    name: "forgets what was said",
    how: each("TEXT_MESSAGE_CONTENT", (event) => ({ ...event, delta: "Hm." })),
    scenario: "LIVE-031",
    rule: "LIVE-THREAD-002"
  },
  {
    name: "answers a run on a busy thread with nothing",
    how: {
      busy: (_server, _thread, _input, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" })
        response.end()
      }
    },
    scenario: "LIVE-032",
    rule: "LIVE-BUSY-001"
  },
  {
    name: "ends a run when another comes",
    how: {
      busy: (server, thread, input, response) => {
        thread.active?.stop.abort()
        void server.run(thread, input, response)
      }
    },
    scenario: "LIVE-032",
    rule: "LIVE-BUSY-002"
  },
  {
    name: "serves one client after the other",
    how: {
      first: (server, request, response) => {
        const busy = [...server.threads.values()].find(({ active }) => active !== undefined)
        if (busy === undefined || request.method !== "POST") return false
        const retry = setInterval(() => {
          if (busy.active !== undefined) return
          clearInterval(retry)
          const input = { threadId: "late", runId: "late", messages: [] }
          void server.run(server.thread("late"), input, response)
        }, 10)
        return true
      },
      // Together longer than the reader's pause: else there is nothing to wait for.
      pieceMs: 40
    },
    scenario: "LIVE-033",
    rule: "LIVE-SLOW-001",
    timeoutMs: 30_000
  }
]

const interrupts: ReadonlyArray<Defect> = [
  {
    name: "refuses the answer to an interrupt",
    how: {
      problem: (body) =>
        typeof body === "object" && body !== null && "resume" in body ? "resume is unknown" : good.problem(body)
    },
    scenario: "LIVE-040",
    rule: "LIVE-INTERRUPT-001"
  },
  {
    name: "refuses to have an interrupt declined",
    how: {
      problem: (body) => (JSON.stringify(body).includes('"cancelled"') ? "status is unknown" : good.problem(body))
    },
    scenario: "LIVE-041",
    rule: "LIVE-INTERRUPT-001",
    transport: rest
  },
  {
    name: "goes on as if an interrupt had been answered",
    how: {
      events: (events, { runId, threadId }, thread) =>
        thread.runs.length > 0 ? [...events.slice(0, 1), { type: "RUN_FINISHED", threadId, runId }] : events
    },
    scenario: "LIVE-042",
    rule: "LIVE-INTERRUPT-002"
  },
  {
    name: "asks again what was answered",
    how: {
      events: (events, { resume, runId, threadId }) =>
        resume === undefined
          ? events
          : [
              ...events.slice(0, -1),
              {
                type: "RUN_FINISHED",
                threadId,
                runId,
                outcome: {
                  type: "interrupt",
                  interrupts: resume.map(({ interruptId }) => ({ id: interruptId, reason: "tool_call" }))
                }
              }
            ]
    },
    scenario: "LIVE-040",
    rule: "LIVE-INTERRUPT-003"
  },
  {
    name: "announces the call again that it was interrupted at",
    how: {
      events: (events, { resume }, thread) =>
        resume === undefined
          ? events
          : [
              ...events.slice(0, 1),
              ...thread.runs.flatMap(({ said }) =>
                said.filter(({ type }) => /CALL_(START|ARGS|END)/.test(String(type)))
              ),
              ...events.slice(1)
            ]
    },
    scenario: "LIVE-040",
    rule: "AGUI-INTERRUPT-005"
  }
]

const history: ReadonlyArray<Defect> = [
  {
    name: "describes itself otherwise",
    how: { info: () => ({ agents: [{ name: "default" }] }) },
    scenario: "LIVE-050",
    rule: "LIVE-INFO-001",
    transport: rest
  },
  {
    name: "does not list its agent",
    how: { info: () => ({ version: "1", agents: {}, audioFileTranscriptionEnabled: false }) },
    scenario: "LIVE-050",
    rule: "LIVE-INFO-002",
    transport: "copilotkit-single"
  },
  {
    name: "fails at connect",
    how: {
      first: (_server, { url }, response) => {
        if (url?.endsWith("/connect") !== true) return false
        good.refuse(response, 500, "not yet")
        return true
      }
    },
    scenario: "LIVE-051",
    rule: "LIVE-CONNECT-001",
    transport: rest
  },
  {
    name: "keeps no history",
    how: { history: () => [] },
    scenario: "LIVE-051",
    rule: "LIVE-CONNECT-002",
    transport: rest
  },
  {
    name: "never lets go of who connects",
    how: { endsConnects: false },
    scenario: "LIVE-052",
    rule: "LIVE-CONNECT-006",
    transport: rest,
    timeoutMs: 1500
  },
  {
    name: "loses what the user said",
    how: { echoes: false },
    scenario: "LIVE-051",
    rule: "LIVE-CONNECT-003",
    transport: rest
  },
  {
    name: "has one history for all threads",
    how: { history: ({ threads }) => [...threads.values()].flatMap(({ runs }) => runs.flatMap(({ said }) => said)) },
    scenario: "LIVE-052",
    rule: "LIVE-CONNECT-004",
    transport: rest
  },
  {
    name: "does not follow a run that is under way",
    how: { follows: false },
    scenario: "LIVE-053",
    rule: "LIVE-CONNECT-005",
    transport: rest
  }
]

const input: ReadonlyArray<Defect> = [
  {
    name: "runs what is no JSON",
    how: {
      first: (server, { method }, response, body) => {
        if (method !== "POST" || body.endsWith("}}") || /"messages":\[\{.*\]/.test(body)) return false
        void server.run(server.thread("t"), { threadId: "t", runId: "r", messages: [] }, response)
        return true
      }
    },
    scenario: "LIVE-060",
    rule: "LIVE-INPUT-002"
  },
  {
    name: "refuses with 200 and RUN_ERROR",
    how: {
      refuse: (response, _status, message) => {
        response.writeHead(200, { "content-type": "text/event-stream" })
        response.end(`data: ${JSON.stringify({ type: "RUN_ERROR", message })}\n\n`)
      }
    },
    scenario: "LIVE-060",
    rule: "LIVE-INPUT-001"
  },
  {
    name: "takes any object for a request",
    how: {
      first: (server, { method }, response, body) => {
        if (method !== "POST" || !body.includes("threadId")) return false
        void server.run(server.thread(body), { threadId: "t", runId: "r", messages: [] }, response)
        return true
      }
    },
    scenario: "LIVE-061",
    rule: "LIVE-INPUT-003"
  },
  {
    name: "makes up what is missing",
    how: { problem: () => undefined },
    scenario: "LIVE-062",
    rule: "LIVE-INPUT-003"
  },
  {
    name: "answers bad requests with 500",
    how: { refuse: (response, _status, message) => good.refuse(response, 500, message) },
    scenario: "LIVE-062",
    rule: "LIVE-INPUT-004"
  },
  {
    name: "dies of a bad request",
    how: (() => {
      let dead = false
      const how: Partial<Behaviour> = {
        refuse: (response) => {
          dead = true
          response.destroy()
        },
        first: (_server, request) => {
          if (dead) request.socket.destroy()
          return dead
        }
      }
      return how
    })(),
    scenario: "LIVE-060",
    rule: "LIVE-INPUT-005"
  },
  {
    name: "shows its stack trace",
    how: {
      refuse: (response, status, message) => good.refuse(response, status, new Error(message).stack ?? message)
    },
    scenario: "LIVE-060",
    rule: "LIVE-INPUT-006"
  },
  {
    name: "takes bodies of any size",
    how: { maxBody: Number.POSITIVE_INFINITY },
    scenario: "LIVE-063",
    rule: "LIVE-INPUT-007"
  },
  {
    name: "runs agents it does not have",
    how: { agents: { includes: () => true } as unknown as ReadonlyArray<string> },
    scenario: "LIVE-064",
    rule: "LIVE-AGENT-001",
    transport: rest
  },
  {
    name: "answers for an unknown agent with 400",
    how: { refuse: (response, _status, message) => good.refuse(response, 400, message) },
    scenario: "LIVE-064",
    rule: "LIVE-AGENT-002",
    transport: "copilotkit-single"
  },
  {
    name: "does not look at the token",
    how: {},
    scenario: "LIVE-065",
    rule: "LIVE-AUTH-001",
    token: "a-secret-token-1234"
  }
]

/** Every way the server is broken. */
export const defects: ReadonlyArray<Defect> = [
  ...wire,
  ...answers,
  ...tools,
  ...endings,
  ...threads,
  ...interrupts,
  ...history,
  ...input
]
