/** `@agentwire/protocol`: every room of the package under one name. Each has an example of its own beside this one. */
import {
  Actions,
  Agents,
  Agui,
  AppServer,
  Claude,
  Codec,
  Codex,
  Conform,
  CopilotKit,
  Gateway,
  JsonRpc,
  Model,
  Normalised,
  Tape,
  Translate,
  Wire
} from "@agentwire/protocol"
import * as Schema from "effect/Schema"

// Lines, server-sent events and JSON, without Effect.
console.log(Wire.parseJson('{"a":1')) // undefined

// A codec for a protocol of your own.
const codec = Codec.makeCodec({ ping: Schema.Struct({ type: Schema.Literal("ping") }) })
console.log(codec.decodeLine('{"type":"ping"}')._tag) // Known

// The conversation in the middle.
console.log(Model.transcriptOf([]).entries.length) // 0

// What a tool call does, in one line.
console.log(Actions.summarise({ tool: "Read", arguments: '{"file_path":"a.ts"}' })) // a.ts

// Sub-agents that a project defines.
console.log(Agents.agentPath("codex", "reviewer")) // .codex/agents/reviewer.toml

// What Claude Code writes.
console.log(Claude.decodeLine('{"type":"keep_alive"}')._tag) // Known

// What Codex writes, and how its requests are told from its answers.
console.log(Codex.decodeLine('{"method":"skills/changed","params":{}}')._tag) // Known
console.log(JsonRpc.classify({ id: 0, method: "attestation/generate" })._tag) // Request

// What AG-UI's clients read.
console.log(Agui.encodeSse({ type: "RUN_FINISHED", threadId: "t", runId: "r" })) // data: {"type":"RUN_FINISHED","threadId":"t","runId":"r"}

// What CopilotKit's clients ask.
console.log(CopilotKit.routes.some(({ path }) => path === "/info")) // true

// What clients of the gateway subscribe to.
console.log(Gateway.matchesEvent("session.*", "session.turn_stop")) // true

// What chat interfaces read that do not care which agent it is.
console.log(Normalised.initialNormalised({ sessionId: "s" }).inTurn) // false

// What Codex's own clients read, whichever agent it is.
console.log(AppServer.initialAppServer({ threadId: "t", cwd: "/work" }).turns) // 0

// From the one to the other.
console.log(Translate.mappingOf("assistant").events.includes("TOOL_CALL_START")) // true

// Recorded sessions.
console.log(Tape.tapeVersion) // 1

// Whether a stream of events keeps the rules.
console.log(Conform.checkEvents([]).verdict) // fail
