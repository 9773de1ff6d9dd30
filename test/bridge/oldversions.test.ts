/**
 * Versions of Claude Code from before the first that was recorded whole, end to end. Their lines lack keys that the
 * schemas name (`stop_reason` of a `result`, say) and come in another order; by the law of tolerance that costs nobody
 * an answer.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { fails, says, saysWith, text, thinking, tool } from "@agentwire/fixtures/scenario"
import { describe, expect, it } from "@effect/vitest"
import { firstOf } from "../../packages/fixtures/test/Sweep.ts"
import {
  agentAt,
  approveAll,
  type ClientAgent,
  conversationOf,
  headers,
  isNewest,
  onBridge,
  run,
  say,
  toolCallsOf,
  withClientsOn
} from "./OnBridge.ts"

/** The versions, and how often each asks when the API refuses: 2.0.45 asks again without a stream. */
const versions = [
  ["2.0.45", 2],
  ["2.1.14", 1]
] as const

/** Who said what, without the empty messages that calls hang on. */
const spoken = (agent: ClientAgent) =>
  conversationOf(agent).filter(([role, content]) => role !== "assistant" || (content ?? "") !== "")

/** A command that is not read-only, so that the CLI asks. */
const touch = (name: string) => tool("Bash", { command: `touch ${name}`, description: "Touch a file" })

/** An answer that does not end by itself. */
const endless = saysWith({ break: { how: "hang", afterEvents: 4 } }, text("It ", "goes ", "on."))

const refused = fails(400, "invalid_request_error", "No such thing.")

describe.each(firstOf(1, versions))("Claude Code %s", (version, tries) => {
  const wire = [version, "stdio"] as const

  it.live("answers, and answers again", () =>
    withClientsOn(wire, (client) =>
      onBridge(
        wire,
        { replies: [says(thinking("I ", "think."), text("Hel", "lo."), text("And more.")), says("Again.")] },
        {},
        async ({ url }) => {
          const agent = agentAt(url, client)
          const first = await run(say(agent, "Hi"))
          const second = await run(say(agent, "And again"))
          expect([first, second].map(({ error }) => error)).toEqual([undefined, undefined])
          expect(conversationOf(agent)).toEqual([
            ["user", "Hi"],
            ["reasoning", "I think."],
            ["assistant", "Hello."],
            ["assistant", "And more."],
            ["user", "And again"],
            ["assistant", "Again."]
          ])
        }
      )
    )
  )

  it.live("asks before a tool runs, and runs it when a person says yes", () =>
    withClientsOn(wire, (client) =>
      onBridge(
        wire,
        { replies: [says("Both.", touch("one"), touch("two")), says("Done.")] },
        { session: { approvals: "interrupt" } },
        async ({ project, url }) => {
          const agent = say(agentAt(url, client), "Go")
          const asking = await run(agent)
          expect(asking.error).toBeUndefined()
          expect(toolCallsOf(agent)).toHaveLength(2)
          expect(existsSync(join(project, "one"))).toBe(false)
          expect(await approveAll(agent)).toBe(2)
          expect(existsSync(join(project, "one")) && existsSync(join(project, "two"))).toBe(true)
          expect(spoken(agent)).toEqual([
            ["user", "Go"],
            ["assistant", "Both."],
            ["tool", expect.any(String)],
            ["tool", expect.any(String)],
            ["assistant", "Done."]
          ])
        }
      )
    )
  )

  it.live("is stopped in the middle of an answer, and answers the next prompt", () =>
    withClientsOn(wire, (client) =>
      onBridge(wire, { replies: [endless, says("Second.")] }, {}, async ({ kit }) => {
        const agent = say(agentAt(`${kit}/run`, client), "One")
        let stopped: Promise<unknown> | undefined
        const first = await run(agent, {}, ({ type }) => {
          if (type === "TEXT_MESSAGE_CONTENT")
            stopped ??= fetch(`${kit}/stop/thread-1`, { method: "POST", headers }).then((response) => response.json())
        })
        expect(await stopped).toMatchObject({ stopped: true })
        expect(first.error).toBeUndefined()
        expect(first.outcome).toEqual(isNewest(client) ? { type: "cancelled" } : undefined)
        await run(say(agent, "Two"))
        expect(spoken(agent).at(-1)).toEqual(["assistant", "Second."])
      })
    )
  )

  it.live("says what went wrong at the API", () =>
    withClientsOn(wire, (client) =>
      onBridge(
        wire,
        { replies: [...Array.from({ length: tries }, () => refused), says("Better.")] },
        {},
        async ({ url }) => {
          const agent = say(agentAt(url, client), "Hi")
          const { error } = await run(agent)
          expect(error?.message).toContain("No such thing.")
          expect((await run(say(agent, "Once more"))).error).toBeUndefined()
          expect(spoken(agent).at(-1)).toEqual(["assistant", "Better."])
        }
      )
    )
  )
})
