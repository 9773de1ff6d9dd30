/** What the agent says is sent once to each client that has not had it. */

import { says, saysWith, text, tool } from "@agentwire/fixtures/scenario"
import { describe, expect, it } from "@effect/vitest"
import { firstOf } from "../../../packages/fixtures/test/Sweep.ts"
import {
  agentAt,
  allowAlways,
  approve,
  type Client,
  type ClientAgent,
  clients,
  onBridge,
  type Place,
  run,
  say,
  wires
} from "../OnBridge.ts"
import { managementOf, untilStatus } from "./Doors.ts"
import { ask, wordsTo } from "./Marked.ts"
import { within } from "./Waiting.ts"

const [current] = wires

describe.each(clients)("an answer", (client) => {
  it.live("is sent once: neither its statistics nor the end of its run repeat it", () =>
    onBridge(current, { replies: [says("The lamp is amber.")] }, {}, async ({ kit, url }) => {
      for (const address of [url, `${kit}/run`]) {
        const agent = agentAt(address, client, address)
        const { events } = await ask(agent, "Which lamp?")
        expect(wordsTo(agent)).toEqual(["The lamp is amber."])
        const telling = events.filter((event) => JSON.stringify(event).includes("The lamp is amber."))
        expect(telling.map(({ type }) => type)).toEqual(["TEXT_MESSAGE_CONTENT"])
      }
    })
  )
})

/** What a page has: joined by `connect`, running by `run`. */
const pageAt = async ({ kit }: Place, client: Client): Promise<ClientAgent> => {
  const page = agentAt(`${kit}/connect`, client)
  await within("what a page is told first", run(page))
  page.url = `${kit}/run`
  return page
}

/** Waits until something was said in the thread, whoever hears it. */
const untilSaid = (place: Place, words: string): Promise<void> =>
  within(
    `"${words}" is said`,
    (async () => {
      for await (const { data, event } of managementOf(place).sessions.events("thread-1", { from: 0 }))
        if (event === "message" && "delta" in data && data.delta === words) return
    })()
  )

describe.each(firstOf(1, clients.toReversed()))("of two clients on one thread,", (client) => {
  it.live("each has a turn that the agent began by itself once", () =>
    onBridge(
      current,
      {
        replies: [
          says(tool("Bash", { command: "sleep 0.5", description: "Wait", run_in_background: true })),
          says("It runs."),
          says("It ended."),
          says("Fine."),
          says("Good.")
        ]
      },
      { session: { policy: allowAlways } },
      async (place) => {
        const plain = agentAt(place.url, client)
        await ask(plain, "Go")
        expect(wordsTo(plain)).toEqual(["It runs."])
        await untilSaid(place, "It ended.")
        await untilStatus(place, "thread-1", "idle")
        const page = await pageAt(place, client)
        expect(wordsTo(page)).toEqual(["It runs.", "It ended."])
        await ask(plain, "And?")
        expect(wordsTo(plain)).toEqual(["It runs.", "It ended.", "Fine."])
        await ask(page, "So?")
        expect(wordsTo(page)).toEqual(["It runs.", "It ended.", "Fine.", "Good."])
      }
    )
  )

  it.live("each has an answer that the other brought about once", () =>
    onBridge(
      current,
      {
        replies: [
          says(tool("Bash", { command: "touch wanted", description: "Make a file" })),
          says("Made."),
          says("Fine."),
          says("Good.")
        ]
      },
      { session: { approvals: "interrupt" } },
      async (place) => {
        const plain = say(agentAt(place.url, client), "Go")
        await within("the question", run(plain))
        const page = await pageAt(place, client)
        expect(page.pendingInterrupts).toHaveLength(1)
        await within("the answer", approve(page))
        expect(wordsTo(page)).toEqual(["Made."])
        await ask(plain, "And?")
        expect(wordsTo(plain)).toEqual(["Made.", "Fine."])
        await ask(page, "So?")
        expect(wordsTo(page)).toEqual(["Made.", "Fine.", "Good."])
      }
    )
  )

  it.live("each has an answer that both listen to once", () =>
    onBridge(
      current,
      { replies: [saysWith({ dripMs: 40 }, text("One, ", "two, ", "three, ", "four.")), says("Fine.")] },
      {},
      async (place) => {
        const plain = say(agentAt(place.url, client), "Count")
        let joined: Promise<ClientAgent> | undefined
        await within(
          "the answer",
          run(plain, {}, ({ type }) => {
            if (type === "TEXT_MESSAGE_CONTENT") joined ??= pageAt(place, client)
          })
        )
        expect(wordsTo(plain)).toEqual(["One, two, three, four."])
        const page = await joined
        if (page === undefined) throw new Error("Nobody joined.")
        expect(wordsTo(page)).toEqual(["One, two, three, four."])
        await ask(page, "And?")
        expect(wordsTo(page)).toEqual(["One, two, three, four.", "Fine."])
      }
    )
  )
})
