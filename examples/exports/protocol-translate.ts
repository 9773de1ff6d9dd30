/** `@agentwire/protocol/translate`: Claude Code's messages as AG-UI's events, in one step. */
import { readFileSync } from "node:fs"
import { decodeLine } from "@agentwire/protocol/claude"
import type { Tape } from "@agentwire/protocol/tape"
import * as Translate from "@agentwire/protocol/translate"
import { Effect, Stream } from "effect"

const bytes = readFileSync(new URL("../tool_approved.ndjson", import.meta.url))
const session = bytes
  .toString()
  .trimEnd()
  .split("\n")
  .map((line) => decodeLine(line))
const options: Translate.TranslateOptions = { threadId: "t", frontendTools: ["show_map"] }

// A whole session, a stream of messages, or bytes to the body of a response.
const events = [...Translate.translateMessages(session, options)]
const streamed = Stream.fromIterable(session).pipe(Translate.translateStream(options), Stream.runCollect)
console.log(events.length === (await Effect.runPromise(streamed)).length) // true
const live = new Translate.SseTranslator({ ...options, dialect: "0.0" })
console.log(live.push(bytes).startsWith("data: {"), live.end() === "") // true true
const codexLive = new Translate.SseTranslator({ threadId: "t", runtime: "codex", validate: false })
console.log(codexLive.pushBytes(new Uint8Array(0)).length, codexLive.endBytes().length) // 0 0

// A pure fold, message by message: somebody asks for a run, a prompt was sent, messages come, the process ends.
let [state, given] = Translate.beginRun(Translate.initialState(options), { runId: "r" })
;[state] = Translate.expectTurn(state)
for (const message of session.slice(0, 2)) [state, given] = Translate.step(state, message)
;[state, given] = Translate.stepAll(state, session.slice(2))
console.log(given.at(-1)?.type, Translate.finish(state).length) // RUN_FINISHED 0

// A run that ends in the middle, so that somebody outside can act; what goes on without being asked for.
const [open] = Translate.beginRun(state, { runId: "r2" })
const [suspended] = Translate.suspendRun(open, { calls: ["call-of-show_map"] })
console.log(Translate.releaseRun(suspended)[1].length) // 1

// A run with nothing to wait for, and an agent that is gone.
console.log(Translate.endIdleRun(open)[1].at(-1)?.type) // RUN_FINISHED
console.log(Translate.abortTurn(open, { type: "cancelled" })[1].at(-1)?.type) // RUN_FINISHED

// The conversation with its prompts in their places: of a tape, or message by message.
const tape: Tape = {
  header: {
    tape: 1,
    agentwire: "0.1.0",
    runtime: { name: "claude-code" },
    transport: "stdio",
    argv: ["-p", "Hello"],
    startedAt: "2026-11-16T00:00:00Z",
    redacted: []
  },
  frames: []
}
console.log(Translate.argumentPrompt(tape.header)) // Hello
const heard = Translate.withMessages(Translate.withPrompt(Translate.emptyDialogue(options), "Hello"), session)
console.log(Translate.historyOf(heard).messages[0]?.role, Translate.tapeHistory(tape, options).messages.length) // user 1

// What a message can become, and names that both sides share.
console.log(Translate.mappingOf("assistant").model.length > 0, Translate.sessionStateKey) // true agentwire
console.log(Translate.mcpToolName("frontend", "show_map"), Translate.foldOptions(options)) // mcp__frontend__show_map { pageTools: [ 'show_map' ] }
