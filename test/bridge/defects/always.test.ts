/** "Always": this rule, in this session. What is about to be remembered can be seen before. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { says, tool } from "@agentwire/fixtures/scenario"
import { describe, expect, it } from "@effect/vitest"
import { agentAt, approve, type ClientAgent, clients, newest, onBridge, run, say, wires } from "../OnBridge.ts"
import { managementOf, pendingIn } from "./Doors.ts"
import { lanesOf, promptOf, wordsTo } from "./Marked.ts"
import { until, within } from "./Waiting.ts"

const bash = (command: string) => tool("Bash", { command, description: "Work" })
const write = tool("Write", { file_path: "written", content: "content" })

/** One after the other: what is allowed for good, what must be asked all the same, and the first again. */
const first = [says(bash("touch one")), says(write), says(bash("rm one")), says(bash("touch one")), says("Done.")]

/** What the question that an application shows is about. */
const asked = (agent: ClientAgent): ReadonlyArray<unknown> =>
  agent.pendingInterrupts.map(({ metadata }) => {
    const { input } = metadata as { readonly input: { readonly command?: string; readonly file_path?: string } }
    return input.command ?? input.file_path
  })

/** Begins the turn of a thread, and waits for its question. */
const begin = (agent: ClientAgent, thread: string) => within("the question", run(say(agent, promptOf(thread, "first"))))

const isOnDisk = (project: string): boolean => existsSync(join(project, ".claude", "settings.local.json"))

describe("always", () => {
  it.live("is for the command that was asked about, in this thread, and is not written down", () =>
    onBridge(
      wires[0],
      {
        replies: [says("Nobody's.")],
        lanes: [...lanesOf("a", { first }), ...lanesOf("b", { first: [says(bash("touch one")), says("Done.")] })]
      },
      { session: { approvals: "interrupt" } },
      async ({ project, url }) => {
        const agent = agentAt(url, newest, "a")
        await begin(agent, "a")
        expect(asked(agent)).toEqual(["touch one"])
        await within(
          "the next question",
          run(agent, {
            resume: [
              {
                interruptId: agent.pendingInterrupts[0]?.id ?? "",
                status: "resolved",
                payload: { approved: true, always: true }
              }
            ]
          })
        )
        expect(asked(agent)).toEqual([expect.stringContaining("written")])
        await within("the next question", approve(agent))
        expect(asked(agent)).toEqual(["rm one"])
        expect(existsSync(join(project, "one"))).toBe(true)
        // The rule holds: the command is not asked about again.
        await within("the answer", approve(agent))
        expect(asked(agent)).toEqual([])
        expect(wordsTo(agent)).toEqual(["Done."])
        expect(existsSync(join(project, "one"))).toBe(true)

        const other = agentAt(url, newest, "b")
        await begin(other, "b")
        expect(asked(other)).toEqual(["touch one"])
        expect(isOnDisk(project)).toBe(false)
      }
    )
  )

  it.live("means the same where the management API says it", () =>
    onBridge(
      wires[0],
      { replies: [says("Nobody's.")], lanes: lanesOf("a", { first: [...first.slice(0, 2), says("Done.")] }) },
      { session: { approvals: "interrupt" } },
      async (place) => {
        const { approvals } = managementOf(place)
        await begin(agentAt(place.url, newest, "a"), "a")
        const [touch] = await pendingIn(place, "a")
        await approvals.answer("a", String(touch?.["requestId"]), { behavior: "allow", always: true })
        const isAsked = async () => JSON.stringify(await pendingIn(place, "a")).includes("written")
        const isOver = async () => (await managementOf(place).sessions.get("a")).status === "idle"
        await until("the file is asked about, or the turn is over", async () => (await isAsked()) || (await isOver()))
        expect(await isAsked()).toBe(true)
        expect(isOnDisk(place.project)).toBe(false)
        expect(existsSync(join(place.project, "written"))).toBe(false)
      }
    )
  )

  it.live.each(clients)("is explained in the question, wherever that is seen", (client) =>
    onBridge(
      wires[0],
      { replies: [says("Nobody's.")], lanes: lanesOf("a", { first }) },
      { session: { approvals: "interrupt" } },
      async (place) => {
        const agent = agentAt(place.url, client, "a")
        await begin(agent, "a")
        const [pending] = await pendingIn(place, "a")
        const listed = (pending?.["request"] as Record<string, unknown> | undefined)?.["remember"]
        for (const remember of [agent.pendingInterrupts[0]?.metadata?.["remember"], listed]) {
          expect(remember).toEqual([expect.objectContaining({ label: expect.stringMatching(/^Bash\(touch/) })])
          expect(JSON.stringify(remember)).not.toMatch(/mode|acceptEdits/i)
        }
      }
    )
  )
})
