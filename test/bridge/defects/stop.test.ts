/** Stopping a run at bad moments: the next prompt is answered, with its own answer, once. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { says, tool } from "@agentwire/fixtures/scenario"
import { describe, expect, it } from "@effect/vitest"
import { sweeping } from "../../../packages/fixtures/test/Sweep.ts"
import { agentAt, type Client, type ClientAgent, clients, onBridge, type Place, run, say, wires } from "../OnBridge.ts"
import { pendingIn, stops, untilStatus, wasInterrupted } from "./Doors.ts"
import { expectAnswered, lanesOf, promptOf, timesAsked } from "./Marked.ts"
import { pause, within } from "./Waiting.ts"

const [current] = wires

/** How often a run is stopped on each route: `npm run sweep` is patient, a few do for every day. */
const trials = sweeping ? 20 : 4

/** The moments of a sweep, in milliseconds after the end of the call: from 0 to 30, evenly. */
const moments = Array.from({ length: trials }, (_, index) => Math.round((index * 30) / (trials - 1)))

/** Further ones, for when the question always came first: on a busy machine a client reads late. */
const spare = Array.from({ length: 16 }, () => 0)

const touch = (name: string) => tool("Bash", { command: `touch ${name}`, description: "Make a file" })

/** A thread that calls a tool first and that nobody lets call it. */
const calling = (thread: string) =>
  lanesOf(thread, { first: [says(touch(thread)), says("It went on, though it was stopped.")] })

/** After a stop the thread works: two prompts, so that an answer that slides is seen. */
const expectGoesOn = async (place: Place, agent: ClientAgent, thread: string): Promise<void> => {
  await expectAnswered(agent, thread, "next")
  await expectAnswered(agent, thread, "last")
  expect([timesAsked(place, thread, "next"), timesAsked(place, thread, "last")]).toEqual([1, 1])
  expect(existsSync(join(place.project, thread))).toBe(false)
  expect(await pendingIn(place, thread)).toEqual([])
}

/**
 * Whether the question was there before the connection closed, and only its client had not read so far: then nobody
 * stopped anything, and the question has to be answered.
 */
const isAskedInOrder = async (place: Place, thread: string): Promise<boolean> =>
  (await pendingIn(place, thread)).length > 0 && !(await wasInterrupted(place, thread))

/** How a run is stopped: a plain client has nothing but its connection. */
const routes = ["closing the connection", "CopilotKit's stop"] as const

describe.each(routes)("a run that is stopped by %s", (route) => {
  const isPlain = route === "closing the connection"
  const agentOn = (place: Place, thread: string, client?: Client) =>
    agentAt(isPlain ? place.url : `${place.kit}/run`, client, thread)

  /** Stops a run so long after the end of its call. Whether it was open then. */
  const stopAfterCall = async (place: Place, agent: ClientAgent, moment: number): Promise<boolean> => {
    let isOpen = true
    let wasOpen: Promise<boolean> | undefined
    const stop = async (): Promise<boolean> => {
      await pause(moment)
      const open = isOpen
      if (isPlain) agent.abortRun()
      else expect(await stops.copilotkit(place, agent.threadId)).toMatchObject({ stopped: true })
      return open
    }
    const first = run(say(agent, promptOf(agent.threadId, "first")), {}, ({ type }) => {
      if (type === "TOOL_CALL_END") wasOpen ??= stop()
      if (type === "RUN_FINISHED" || type === "RUN_ERROR") isOpen = false
    })
    await within("the end of the stopped run", first)
    return (await wasOpen) ?? false
  }

  it.live(
    "just after its tool call, before the question about it, leaves the thread to the next prompt",
    () => {
      const threads = [...moments, ...spare].map((moment, index) => ({ moment, index, thread: `t${index}` }))
      return onBridge(
        current,
        { replies: [says("Nobody's.")], lanes: threads.flatMap(({ thread }) => calling(thread)) },
        { session: { approvals: "interrupt" } },
        async (place) => {
          const failed: Array<string> = []
          let inTime = 0
          for (const { index, moment, thread } of threads) {
            if (index >= trials && inTime > 0) break
            const agent = agentOn(place, thread, clients[index % clients.length])
            const trial = async (): Promise<void> => {
              const wasOpen = await stopAfterCall(place, agent, moment)
              // Half of the people look at what they have done before they go on.
              if (wasOpen && index % 4 > 1) await untilStatus(place, thread, "idle", "disconnected")
              await expectGoesOn(place, agent, thread)
              if (wasOpen) inTime++
            }
            await trial().catch(async ({ message }: Error) => {
              if (isPlain && (await isAskedInOrder(place, thread))) return
              const left = `${(await pendingIn(place, thread)).length} questions are open`
              const told = (await wasInterrupted(place, thread)) ? "was told to stop" : "was not told to stop"
              failed.push(`after ${moment} ms: ${message}; ${left}, and the agent ${told}`)
            })
          }
          expect(failed).toEqual([])
          // Else the question always came first, and nothing was tried.
          expect(inTime).toBeGreaterThan(0)
        }
      )
    },
    60_000 + trials * 60_000
  )

  it.live("while its CLI starts leaves the thread to the next prompt", () =>
    onBridge(current, { replies: [says("Nobody's.")], lanes: lanesOf("t", {}) }, {}, async (place) => {
      const agent = agentOn(place, "t")
      const first = run(say(agent, promptOf("t", "first"))).catch(() => undefined)
      await untilStatus(place, "t", "starting")
      if (isPlain) agent.abortRun()
      else expect(await stops.copilotkit(place, "t")).toMatchObject({ stopped: true })
      await within("the end of the stopped run", first)
      await expectGoesOn(place, agent, "t")
    })
  )
})

describe.each(Object.keys(stops) as ReadonlyArray<keyof typeof stops>)("a question that is shown, by %s,", (route) => {
  it.live("is closed by a stop, which ends the turn", () =>
    onBridge(
      current,
      { replies: [says("Nobody's.")], lanes: calling("t") },
      { session: { approvals: "interrupt" } },
      async (place) => {
        const agent = agentAt(place.url, undefined, "t")
        await within("the question", run(say(agent, promptOf("t", "first"))))
        expect(agent.pendingInterrupts).toHaveLength(1)
        expect(await pendingIn(place, "t")).toHaveLength(1)
        expect(await stops[route](place, "t")).toMatchObject({ stopped: true })
        await untilStatus(place, "t", "idle", "disconnected")
        expect(await pendingIn(place, "t")).toEqual([])
        await expectGoesOn(place, agent, "t")
      }
    )
  )
})

describe("a question that is cancelled with a prompt in the same run", () => {
  it.live("leaves the thread to the prompt, whatever the agent would ask next", () =>
    onBridge(
      current,
      {
        replies: [says("Nobody's.")],
        lanes: lanesOf("t", { first: [says(touch("one")), says(touch("two")), says("It went on.")] })
      },
      { session: { approvals: "interrupt" } },
      async (place) => {
        const agent = agentAt(place.url, undefined, "t")
        await within("the question", run(say(agent, promptOf("t", "first"))))
        expect(agent.pendingInterrupts).toHaveLength(1)
        await expectGoesOn(place, agent, "t")
      }
    )
  )
})
