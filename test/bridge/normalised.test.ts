/**
 * Normalised events from `fetch` to a real CLI and back.
 */
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { says, saysWith, text, thinking, tool } from "@agentwire/fixtures/scenario"
import { NormalisedEvent } from "@agentwire/protocol/normalised"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import {
  ask,
  isDone,
  type Numbered,
  readUntil,
  type Served
} from "../../packages/bridge/test/face/normalised/Reading.ts"
import { headers, onBridge, type Place } from "./OnBridge.ts"

/** An answer that takes long, and so can be stopped. */
const endless = saysWith({ break: { how: "hang", afterEvents: 5 } }, text("Once ", "upon ", "a time"))

const bash = (command: string) => tool("Bash", { command, description: "Work" })

const events = "/sessions/s/events"

const textOf = (read: ReadonlyArray<Numbered>): string =>
  read.map(({ event }) => (event.type === "delta" ? event.data.text : "")).join("")

/** What the agent has said, as the log has it. */
const transcriptText = async (place: Place): Promise<string> => {
  const { log } = await place.session("s")
  const { transcript } = await Effect.runPromise(log.moment())
  return transcript.entries.map((entry) => (entry.kind === "text" ? entry.text : "")).join("")
}

it.live("a session with Claude Code 2.1.325 is made, used, stopped, put away and taken back", () =>
  onBridge(
    ["2.1.325", "stdio"],
    {
      replies: [
        says(thinking("Let me ", "see."), bash("touch denied")),
        says(bash("cat here.txt | grep two > found.txt")),
        says("It is ", "there."),
        endless,
        says("Here again.")
      ]
    },
    { session: { approvals: "event" } },
    async (place) => {
      const bridge: Served = { url: place.url, headers }
      writeFileSync(join(place.project, "here.txt"), "one\ntwo\n")
      expect((await ask(bridge, "POST", "/sessions", { session_id: "s", runtime: "claude" })).status).toBe(201)

      // A turn with two calls, one denied and one allowed, read over connections that end at each question.
      expect((await ask(bridge, "POST", "/sessions/s/message", { message: "Look." })).status).toBe(202)
      const read: Array<Numbered> = []
      for (const behavior of ["deny", "allow"]) {
        read.push(...(await readUntil(bridge, events, ({ type }) => type === "permission_request", read.at(-1)?.id)))
        const question = read.at(-1)?.event
        const id = question?.type === "permission_request" ? question.data.request_id : ""
        await ask(bridge, "POST", `/api/sessions/s/approvals/${id}`, { behavior })
      }
      read.push(...(await readUntil(bridge, events, isDone, read.at(-1)?.id)))
      expect(await readUntil(bridge, events, isDone)).toEqual(read)
      expect(existsSync(join(place.project, "denied"))).toBe(false)
      expect(existsSync(join(place.project, "found.txt"))).toBe(true)
      for (const { event } of read) expect(Schema.is(NormalisedEvent)(event), JSON.stringify(event)).toBe(true)
      expect(read.map(({ event: { type } }) => type).filter((type) => type !== "thinking" && type !== "delta")).toEqual(
        [
          "session_ready",
          "session_ready",
          ...["tool_start", "permission_request", "permission_resolved", "tool_result"],
          ...["tool_start", "permission_request", "permission_resolved", "tool_result"],
          "result",
          "done"
        ]
      )
      const results = read.flatMap(({ event }) => (event.type === "tool_result" ? [event.data] : []))
      expect(results).toMatchObject([
        { denied: true, is_error: true, summary: "Denied: touch denied" },
        { is_error: false, file_path: "here.txt", summary: "here.txt, found.txt" }
      ])
      const thought = read.map(({ event }) => (event.type === "thinking" ? event.data.text : "")).join("")
      expect(thought).toBe("Let me see.")
      expect(textOf(read)).toBe("It is there.")

      // A turn that is stopped.
      await ask(bridge, "POST", "/sessions/s/message", { message: "Tell me a story." })
      const story = await readUntil(bridge, events, ({ type }) => type === "delta", read.at(-1)?.id)
      expect((await ask(bridge, "POST", "/sessions/s/stop")).body).toEqual({ stopped: true })
      const stopped = await readUntil(bridge, events, isDone, story.at(-1)?.id)
      expect(stopped.at(-1)?.event.data).toMatchObject({ outcome: "cancelled", stopped: true })

      // Put away, taken back, continued: in the same session of the agent.
      expect((await ask(bridge, "DELETE", "/sessions/s")).body).toEqual({ archived: true })
      expect((await ask(bridge, "POST", "/sessions/s/resume")).body).toMatchObject({ resumed: true, session_id: "s" })
      await ask(bridge, "POST", "/sessions/s/message", { message: "Are you there?" })
      const last = await readUntil(bridge, events, isDone, stopped.at(-1)?.id)
      expect(last.at(-2)?.event).toMatchObject({ type: "result", data: { text: "Here again." } })
      expect(last.at(-1)?.event).toMatchObject({ type: "done", data: { outcome: "completed" } })
      const whole = [...read, ...story, ...stopped, ...last]
      expect(textOf(whole)).toBe(await transcriptText(place))
      expect(new Set(whole.map(({ id }) => id)).size).toBe(whole.length)
    }
  )
)
