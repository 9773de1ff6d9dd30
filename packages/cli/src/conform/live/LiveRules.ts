/**
 * What the live scenarios ask of a server beyond the rules for a single stream: the part that shows only when someone
 * stops, hangs up, comes back, or sends nonsense. Ids are stable and never given to another rule.
 *
 * Levels: `error` where the specification says MUST or clients break, `warning` where it says SHOULD or users lose
 * something, `info` where nothing is specified.
 */
import type { Agui, Conform } from "@agentwire/protocol"

type Row = readonly [family: Conform.Family, level: Conform.Level, requirement: string, spec: string]

const copilotKit = "CopilotKit runtime 1.75.0"
const none = "unspecified"

const table = {
  "LIVE-NET-001": [
    "wire",
    "error",
    "A server accepts connections and completes its answers.",
    "1.0 basic/transports#the-binding-contract"
  ],
  "LIVE-TIME-001": ["run", "error", "A run does not fall silent before its end.", "1.0 events/lifecycle#the-run"],
  "LIVE-TIME-002": ["wire", "error", "An answer to a short prompt has an end.", "1.0 events/lifecycle#the-run"],
  "LIVE-TIME-003": [
    "wire",
    "error",
    "The response is closed after the terminal event of its last run.",
    "1.0 basic/transports/http-sse#response"
  ],
  "LIVE-TIME-004": ["run", "warning", "A run ends within the time of a scenario; a slow model needs more.", none],
  "LIVE-ANSWER-001": ["run", "warning", "A plain prompt is answered with text.", none],
  "LIVE-ANSWER-002": ["text", "info", "A long answer comes in more than one piece.", none],
  "LIVE-ANSWER-003": [
    "text",
    "error",
    "Characters outside ASCII arrive as they are: the stream is UTF-8.",
    "1.0 basic/transports/http-sse#response"
  ],
  "LIVE-ANSWER-004": ["text", "warning", "A delta does not end in the middle of a character.", none],
  "LIVE-TOOL-001": [
    "tool-result",
    "warning",
    "A call of a tool that the client did not offer gets its result in the run.",
    "1.0 events/tool-calls"
  ],
  "LIVE-TOOL-002": ["tool-call", "warning", "The arguments of calls made together are not mixed up.", none],
  "LIVE-FRONTEND-001": [
    "tool-call",
    "error",
    "A run that calls a tool of the client finishes as a success, so that the client executes it.",
    "1.0 events/tool-calls#frontend-tools"
  ],
  "LIVE-FRONTEND-002": [
    "tool-call",
    "error",
    "The run that gets the result of a call does not stream the call again.",
    "1.0 events/lifecycle#several-runs-on-one-stream"
  ],
  "LIVE-FRONTEND-003": ["tool-result", "warning", "The result of a tool of the client reaches the agent.", none],
  "LIVE-STOP-001": ["run", "error", "A request to stop is answered with 200 and JSON.", `${copilotKit} handle-stop`],
  "LIVE-STOP-002": ["run", "error", "A stopped run ends.", "1.0 events/lifecycle#cancelled-runs"],
  "LIVE-STOP-003": [
    "run",
    "error",
    "A stopped run ends as cancelled, or in RUN_ERROR, and never as a success.",
    "1.0 events/lifecycle#cancelled-runs"
  ],
  "LIVE-STOP-004": ["run", "error", "A thread continues after a stop.", none],
  "LIVE-STOP-005": ["run", "warning", "Stopping when nothing is running is not an error.", `${copilotKit} handle-stop`],
  "LIVE-STOP-006": ["run", "error", "A stop ends the run of its own thread only.", `${copilotKit} handle-stop`],
  "LIVE-ABORT-001": ["run", "warning", "A thread continues after its client has hung up.", none],
  "LIVE-THREAD-001": [
    "identity",
    "error",
    "Nothing of one thread is in the stream of another.",
    "1.0 basic/run-input#identity"
  ],
  "LIVE-THREAD-002": ["messages", "info", "The second run of a thread knows what was said in the first.", none],
  "LIVE-THREAD-003": ["identity", "info", "Messages of different threads have different ids.", none],
  "LIVE-BUSY-001": [
    "run",
    "error",
    "A run on a busy thread is answered: with a run, RUN_ERROR or an HTTP error.",
    "1.0 basic/transports#the-binding-contract"
  ],
  "LIVE-BUSY-002": ["run", "warning", "A run is not disturbed by a second one on its thread.", none],
  "LIVE-INTERRUPT-001": [
    "interrupt",
    "error",
    "A run that answers every interrupt of the last one is accepted.",
    "1.0 basic/patterns/interrupt-resume"
  ],
  "LIVE-INTERRUPT-002": [
    "interrupt",
    "error",
    "A run that leaves an interrupt unanswered does not finish as a success.",
    "1.0 basic/patterns/interrupt-resume"
  ],
  "LIVE-INTERRUPT-003": [
    "interrupt",
    "warning",
    "An interrupt that was answered does not come again under the same id.",
    "1.0 basic/patterns/interrupt-resume"
  ],
  "LIVE-CONNECT-001": ["messages", "error", "A request to connect is answered with a stream.", `${copilotKit} connect`],
  "LIVE-CONNECT-002": [
    "messages",
    "warning",
    "Who connects to a thread gets what the agent said.",
    `${copilotKit} connect`
  ],
  "LIVE-CONNECT-003": [
    "messages",
    "warning",
    "Who connects to a thread gets what the user said.",
    `${copilotKit} connect`
  ],
  "LIVE-CONNECT-004": [
    "identity",
    "error",
    "Who connects to a thread gets nothing of others.",
    "1.0 basic/run-input#identity"
  ],
  "LIVE-CONNECT-005": [
    "messages",
    "warning",
    "Who connects to a thread during a run gets the rest of the run.",
    `${copilotKit} connect`
  ],
  "LIVE-CONNECT-006": [
    "messages",
    "warning",
    "The stream of a connect ends when nothing runs on the thread: pages show it as running until then.",
    `${copilotKit} connect`
  ],
  "LIVE-INPUT-001": [
    "wire",
    "error",
    "A request that is refused gets an HTTP error status, not a stream.",
    "1.0 basic/transports/http-sse"
  ],
  "LIVE-INPUT-002": ["wire", "error", "A body that is no JSON is refused.", "1.0 basic/transports/http-sse#request"],
  "LIVE-INPUT-003": ["wire", "warning", "A body that is no RunAgentInput is refused.", "1.0 basic/run-input"],
  "LIVE-INPUT-004": ["wire", "warning", "What the client did wrong is answered with 4xx, not 5xx.", "RFC 9110 §15.5"],
  "LIVE-INPUT-005": ["wire", "error", "A bad request does no harm to those that follow.", none],
  "LIVE-INPUT-006": ["wire", "warning", "An error answer shows no stack trace.", none],
  "LIVE-INPUT-007": ["wire", "info", "There is a limit to the size of a body.", none],
  "LIVE-AGENT-001": ["wire", "error", "An agent that does not exist does not run.", `${copilotKit} handle-run`],
  "LIVE-AGENT-002": ["wire", "info", "An agent that does not exist is answered with 404.", `${copilotKit} handle-run`],
  "LIVE-INFO-001": ["wire", "error", "The runtime describes itself as RuntimeInfo.", `${copilotKit} get-runtime-info`],
  "LIVE-INFO-002": ["wire", "error", "The runtime lists the agent.", `${copilotKit} get-runtime-info`],
  "LIVE-SLOW-001": ["wire", "warning", "A slow reader slows nobody else.", none],
  "LIVE-VERSION-001": [
    "version",
    "warning",
    "A client of a later 1.x, with fields nobody knows yet, is served.",
    "1.0 basic/versioning"
  ],
  "LIVE-AUTH-001": [
    "wire",
    "warning",
    "A server that requires a token refuses requests without one.",
    "RFC 9110 §15.5.2"
  ]
} as const satisfies Record<string, Row>

/** The id of a live rule. */
export type LiveRuleId = keyof typeof table

const both: ReadonlyArray<Agui.Dialect> = ["1.0", "0.0"]

/** The dialects of rules that do not hold in both: a 0.0 client cannot be told that a run was cancelled. */
const narrower: Partial<Record<LiveRuleId, ReadonlyArray<Agui.Dialect>>> = { "LIVE-STOP-003": ["1.0"] }

/** The live rules, by id. */
export const liveRules: Readonly<Record<LiveRuleId, Conform.Rule>> = Object.fromEntries(
  Object.entries<Row>(table).map(([id, [family, level, requirement, spec]]) => [
    id,
    { id, family, level, requirement, spec, dialects: narrower[id as LiveRuleId] ?? both }
  ])
) as Record<LiveRuleId, Conform.Rule>
