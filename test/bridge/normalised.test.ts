/**
 * Normalised events from `fetch` to real agents and back: the same story with each kind of agent of one bridge.
 */
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { says, saysWith, text, thinking, tool } from "@agentwire/fixtures/scenario"
import { NormalisedEvent } from "@agentwire/protocol/normalised"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { layerClaudeRuntime } from "../../packages/bridge/src/runtime/claude/ClaudeRuntime.ts"
import { cliLauncher } from "../../packages/bridge/src/runtime/claude/CliLauncher.ts"
import { layerCodexRuntime } from "../../packages/bridge/src/runtime/codex/CodexRuntime.ts"
import { type CodexLauncherOptions, codexLauncher } from "../../packages/bridge/src/runtime/codex/Launcher.ts"
import { layerCodexExecRuntime } from "../../packages/bridge/src/runtime/codexexec/CodexExecRuntime.ts"
import { execLauncher } from "../../packages/bridge/src/runtime/codexexec/ExecLauncher.ts"
import { layerRuntimes } from "../../packages/bridge/src/session/Runtimes.ts"
import {
  ask,
  isDone,
  type Numbered,
  readUntil,
  type Served
} from "../../packages/bridge/test/face/normalised/Reading.ts"
import type { ResponsesReply } from "../../packages/fixtures/src/codex/Responses.ts"
import { setUp } from "./AgentSetup.ts"
import { withCodex } from "./CodexBridge.ts"
import { headers, type Place } from "./OnBridge.ts"

/** What both agents do in the story, each in files of its own. */
const commands = (kind: string): readonly [denied: string, allowed: string] => [
  `touch ${kind}-denied`,
  `cat here.txt | grep two > ${kind}-found.txt`
]

const bash = (command: string) => tool("Bash", { command, description: "Work" })

/** The story as Claude Code's model tells it. */
const claudeReplies = ([denied, allowed] = commands("claude")) => [
  says(thinking("Let me ", "see."), bash(denied)),
  says(bash(allowed)),
  says("It is ", "there."),
  // An answer that takes long, and so can be stopped.
  saysWith({ break: { how: "hang", afterEvents: 5 } }, text("Once ", "upon ", "a time")),
  says("Here again.")
]

/** The story as Codex's model tells it. */
const codexReplies = ([denied, allowed] = commands("codex")): ReadonlyArray<ResponsesReply> => [
  {
    kind: "response",
    items: [
      { kind: "reasoning", summary: [["Let me ", "see."]] },
      { kind: "call", name: "exec_command", arguments: { cmd: denied } }
    ]
  },
  { kind: "command", command: allowed },
  { kind: "text", deltas: ["It is ", "there."] },
  { kind: "hang", deltas: ["Once ", "upon "] },
  { kind: "text", deltas: ["Here again."] }
]

/** The kinds of agents, as `runtime` names them, and what people call them. */
const kinds = [
  ["codex", "Codex"],
  ["claude", "Claude Code"]
] as const

const textOf = (read: ReadonlyArray<Numbered>): string =>
  read.map(({ event }) => (event.type === "delta" ? event.data.text : "")).join("")

/** What the agent has said, as the log has it. */
const transcriptText = async (place: Place, thread: string): Promise<string> => {
  const { log } = await place.session(thread)
  const { transcript } = await Effect.runPromise(log.moment())
  return transcript.entries.map((entry) => (entry.kind === "text" ? entry.text : "")).join("")
}

/** What only one of them knows: Codex how a command has exited, Claude Code what a turn has cost that was stopped. */
const knownToOne: ReadonlySet<string> = new Set(["exit_code", "usage"])

/**
 * The shape of what was read: each type with the keys of its data. Words come in pieces of which nobody knows how many.
 */
const shapeOf = (read: ReadonlyArray<Numbered>): ReadonlyArray<string> =>
  read
    .map(({ event: { data, type } }) => [type, ...Object.keys(data).filter((key) => !knownToOne.has(key))])
    .map(([type, ...keys]) => `${type}: ${keys.sort().join(" ")}`)
    .filter((line, at, all) => line !== all[at - 1])

/** A session of one kind is made, used, stopped, put away and taken back. What was read of it. */
const story = async (place: Place, kind: string, title: string): Promise<ReadonlyArray<Numbered>> => {
  const bridge: Served = { url: place.url, headers }
  const session = `/sessions/s-${kind}`
  const events = `${session}/events`
  const [denied, found] = [`${kind}-denied`, `${kind}-found.txt`]
  const made = await ask(bridge, "POST", "/sessions", { session_id: `s-${kind}`, runtime: kind })
  expect(made).toMatchObject({ status: 201, body: { session_id: `s-${kind}`, runtime: title } })

  // A turn with two calls, one denied and one allowed, read over connections that end at each question.
  expect((await ask(bridge, "POST", `${session}/message`, { message: "Look." })).status).toBe(202)
  const read: Array<Numbered> = []
  for (const behavior of ["deny", "allow"]) {
    read.push(...(await readUntil(bridge, events, ({ type }) => type === "permission_request", read.at(-1)?.id)))
    const question = read.at(-1)?.event
    const id = question?.type === "permission_request" ? question.data.request_id : ""
    await ask(bridge, "POST", `/api/sessions/s-${kind}/approvals/${id}`, { behavior })
  }
  read.push(...(await readUntil(bridge, events, isDone, read.at(-1)?.id)))
  expect(await readUntil(bridge, events, isDone)).toEqual(read)
  expect(existsSync(join(place.project, denied))).toBe(false)
  expect(existsSync(join(place.project, found))).toBe(true)
  for (const { event } of read) expect(Schema.is(NormalisedEvent)(event), JSON.stringify(event)).toBe(true)
  expect(read.map(({ event: { type } }) => type).filter((type) => type !== "thinking" && type !== "delta")).toEqual([
    "session_ready",
    "session_ready",
    ...["tool_start", "permission_request", "permission_resolved", "tool_result"],
    ...["tool_start", "permission_request", "permission_resolved", "tool_result"],
    "result",
    "done"
  ])
  const results = read.flatMap(({ event }) => (event.type === "tool_result" ? [event.data] : []))
  expect(results).toMatchObject([
    { denied: true, is_error: true, summary: `Denied: touch ${denied}` },
    { is_error: false, file_path: "here.txt", summary: `here.txt, ${found}` }
  ])
  const thought = read.map(({ event }) => (event.type === "thinking" ? event.data.text : "")).join("")
  expect(thought).toBe("Let me see.")
  expect(textOf(read)).toBe("It is there.")

  // A turn that is stopped.
  await ask(bridge, "POST", `${session}/message`, { message: "Tell me a story." })
  const tale = await readUntil(bridge, events, ({ type }) => type === "delta", read.at(-1)?.id)
  expect((await ask(bridge, "POST", `${session}/stop`)).body).toEqual({ stopped: true })
  const stopped = await readUntil(bridge, events, isDone, tale.at(-1)?.id)
  expect(stopped.at(-1)?.event.data).toMatchObject({ outcome: "cancelled", stopped: true })

  // Put away, taken back, continued: in the same session of the agent.
  expect((await ask(bridge, "DELETE", session)).body).toEqual({ archived: true })
  const resumed = await ask(bridge, "POST", `${session}/resume`)
  expect(resumed.body).toMatchObject({ resumed: true, session_id: `s-${kind}`, runtime: title })
  await ask(bridge, "POST", `${session}/message`, { message: "Are you there?" })
  const last = await readUntil(bridge, events, isDone, stopped.at(-1)?.id)
  expect(last.at(-2)?.event).toMatchObject({ type: "result", data: { text: "Here again." } })
  expect(last.at(-1)?.event).toMatchObject({ type: "done", data: { outcome: "completed" } })
  const whole = [...read, ...tale, ...stopped, ...last]
  expect(textOf(whole)).toBe(await transcriptText(place, `s-${kind}`))
  expect(new Set(whole.map(({ id }) => id)).size).toBe(whole.length)
  return whole
}

it.live("sessions with Codex 0.166.0 and Claude Code 2.1.325 beside each other are told alike", () =>
  Effect.gen(function* () {
    const { options } = yield* setUp("2.1.325", { replies: claudeReplies() })
    const all = (codex: CodexLauncherOptions) =>
      layerRuntimes(
        Layer.provide(layerCodexRuntime, codexLauncher(codex)),
        Layer.provide(layerCodexExecRuntime, execLauncher(codex)),
        Layer.provide(layerClaudeRuntime, cliLauncher(options))
      )
    yield* withCodex(codexReplies(), { runtime: all, session: { approvals: "event" } }, async (place) => {
      // Nothing is started for a session that nobody has said anything to.
      const made = await Promise.all(
        ["codex-exec", "Codex exec", "Claude", undefined, "other"].map((runtime) =>
          ask({ url: place.url, headers }, "POST", "/sessions", runtime === undefined ? {} : { runtime })
        )
      )
      expect(made.map(({ body, status }) => [status, body["runtime"]])).toEqual([
        [201, "Codex exec"],
        [201, "Codex exec"],
        [201, "Claude Code"],
        [201, "Codex"],
        [404, undefined]
      ])
      writeFileSync(join(place.project, "here.txt"), "one\ntwo\n")
      const told = await Promise.all(kinds.map(([kind, title]) => story(place, kind, title)))
      const [codex = [], other = []] = told.map(shapeOf)
      expect(codex).toEqual(other)
    })
  }).pipe(Effect.scoped)
)
