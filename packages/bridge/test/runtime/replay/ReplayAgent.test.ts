/** Tapes as agents: they say what was recorded, to a host that is not the recorded one. */
import { copyFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { findTape, loadTape } from "@agentwire/fixtures"
import { Tape } from "@agentwire/protocol"
import { decodeLine } from "@agentwire/protocol/claude"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { type Agent, AgentLauncher, type LaunchRequest } from "../../../src/runtime/claude/Agent.ts"
import { type HostRequests, makeHostRequests } from "../../../src/runtime/claude/HostRequests.ts"
import { replayLauncher, startReplayAgent } from "../../../src/runtime/replay/ReplayAgent.ts"
import type { ReplayOptions } from "../../../src/runtime/replay/TapePlayer.ts"
import { scratch } from "../../FakeCli.ts"

const version = "2.1.325"
const tapeOf = (scenario: string) => loadTape({ scenario, version })
const prompt = {
  type: "user",
  message: { role: "user", content: "anything" },
  parent_tool_use_id: null,
  session_id: ""
}

/** What the agent of a tape said, by name. */
const recorded = (tape: Tape.Tape): ReadonlyArray<string> =>
  Tape.tapeLines(tape.frames)
    .filter(({ from }) => from === "agent")
    .map(({ line }) => decodeLine(line.text))
    .map((decoded) => (decoded._tag === "Known" ? decoded.name : decoded._tag))

/** Prompts, answers what it is asked, and reads until the result. */
const converse = (agent: Agent) =>
  Effect.gen(function* () {
    const names: Array<string> = []
    yield* agent.send(prompt)
    for (;;) {
      const decoded = yield* Queue.take(agent.messages)
      if (decoded._tag !== "Known") continue
      names.push(decoded.name)
      if (decoded.name === "control_request/can_use_tool")
        yield* agent.send({
          type: "control_response",
          response: {
            subtype: "success",
            request_id: decoded.message.request_id,
            response: { behavior: "allow", updatedInput: {} }
          }
        })
      if (decoded.name === "result/success") return names
    }
  }).pipe(Effect.timeout("100 seconds"))

const launch = (sessionKey: string) =>
  Effect.gen(function* () {
    const launcher = yield* AgentLauncher
    const request: LaunchRequest = { sessionKey, cwd: "/", options: {}, frontendServer: "frontend" }
    return yield* launcher.launch(request)
  })

const answering = (requests: HostRequests, agent: Agent) =>
  Effect.gen(function* () {
    const decoded = yield* Queue.take(agent.messages)
    if (decoded._tag !== "Known") return
    if (decoded.name === "control_response/success" || decoded.name === "control_response/error")
      yield* requests.answer(decoded.message.response)
  })

describe("ReplayAgent", () => {
  it.live.each(["plain_text", "tool_approved", "thinking_text", "no_init"])("says all of %s", (scenario) =>
    Effect.gen(function* () {
      const tape = tapeOf(scenario)
      const agent = yield* startReplayAgent(tape)
      expect([agent.version, agent.transport]).toEqual([version, "replay"])
      const requests = yield* makeHostRequests(agent)
      const asking = yield* Effect.forkChild(requests.request("initialize"))
      yield* Effect.yieldNow
      yield* answering(requests, agent)
      while (asking.pollUnsafe() === undefined) yield* answering(requests, agent)
      const names = yield* converse(agent)
      const expected = recorded(tape).filter((name) => !name.startsWith("control_response/"))
      expect(names).toEqual(expected.slice(0, expected.lastIndexOf("result/success") + 1))
    })
  )

  it.live.each(["queue_prompt", "interrupt_midstream", "set_model", "stdin_closed_midturn"])(
    "does what the recorded host did in %s, where the host of now does not",
    (scenario) =>
      Effect.gen(function* () {
        const tape = tapeOf(scenario)
        const agent = yield* startReplayAgent(tape)
        const results = (names: ReadonlyArray<string>) => names.filter((name) => name.startsWith("result/")).length
        const heard: Array<string> = []
        yield* agent.send(prompt)
        while (results(heard) < results(recorded(tape))) {
          const decoded = yield* Effect.timeout(Queue.take(agent.messages), "100 seconds")
          if (decoded._tag !== "Known") continue
          heard.push(decoded.name)
          if (decoded.name.startsWith("result/")) yield* agent.send(prompt)
        }
        expect(heard).toEqual(recorded(tape).slice(0, heard.length))
      })
  )

  it.live("answers what the tape was never asked, and ends at a prompt it does not have", () =>
    Effect.gen(function* () {
      const agent = yield* startReplayAgent(tapeOf("plain_text"))
      yield* agent.send({ type: "control_request", request_id: "r", request: { subtype: "get_settings" } })
      const answer = yield* Queue.take(agent.messages)
      expect(answer).toMatchObject({ name: "control_response/success", message: { response: { request_id: "r" } } })
      yield* converse(agent)
      yield* agent.send(prompt)
      expect(yield* agent.exit).toMatchObject({ code: 1, stderr: expect.stringContaining("no further prompt") })
      yield* Queue.collect(agent.messages)
      expect(yield* Effect.flip(agent.send(prompt))).toMatchObject({ _tag: "AgentGone" })
    })
  )

  it.live("gives a session the tape of its name, and others the next in turn", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      for (const scenario of ["plain_text", "thinking_text"])
        copyFileSync(findTape({ scenario, version })?.file ?? "", join(folder, `${scenario}.tape.gz`))
      writeFileSync(join(folder, "notes.txt"), "not a tape")
      const thinks = (names: ReadonlyArray<string>) => names.includes("system/thinking_tokens")
      yield* Effect.gen(function* () {
        const heard: Array<boolean> = []
        for (const name of ["thinking_text", "x", "y", "z", "plain_text"])
          heard.push(thinks(yield* converse(yield* launch(name))))
        expect(heard).toEqual([true, false, true, false, false])
      }).pipe(Effect.provide(replayLauncher({ tapes: folder })))
    })
  )

  it.live("says what is wrong with where the tapes should be", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const noTape = join(folder, "a.txt")
      writeFileSync(noTape, "not a tape\n")
      const future = join(folder, "b.txt")
      writeFileSync(future, '{"tape":7}\n')
      const wrong: ReadonlyArray<readonly [ReplayOptions["tapes"], string]> = [
        [folder, "There is no tape"],
        [join(folder, "none"), "Cannot read"],
        [noTape, "is not a tape"],
        [future, "b.txt is a tape of format version 7"],
        [[], "There is no tape"]
      ]
      for (const [tapes, message] of wrong)
        expect(yield* Effect.flip(launch("a").pipe(Effect.provide(replayLauncher({ tapes }))))).toMatchObject({
          code: "NO_TAPE",
          message: expect.stringContaining(message)
        })
    })
  )
})
