/**
 * Clients that vanish, at each step of a run: what they began is ended, the thread serves the next one, and nothing
 * stays behind. And one that comes back at the step where it left.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { cliLauncher } from "../../../packages/bridge/src/runtime/claude/CliLauncher.ts"
import { livingIn, scratch } from "../../../packages/bridge/test/FakeCli.ts"
import { backTo, countsOf, megabytes } from "../Counts.ts"
import { listening } from "../OnBridge.ts"
import { eventsIn, hasFinished, head, postRun, runBody, runRequest, textIn, type Wire, wireTo } from "../RawRun.ts"

const launcher = cliLauncher({
  cliPath: fileURLToPath(new URL("FaultyCli.mjs", import.meta.url)),
  inherit: { PATH: process.env["PATH"] ?? "" },
  graceMs: 300
})

interface Leaving {
  readonly wire: Wire
  readonly port: number
  readonly body: string
}

/** What a client does before it vanishes. */
const steps: ReadonlyArray<readonly [when: string, act: (leaving: Leaving) => Promise<void>]> = [
  ["before it says anything", async () => undefined],
  ["in the middle of its headers", async ({ port, wire }) => void wire.socket.write(head(port).slice(0, 40))],
  [
    "in the middle of its body",
    async ({ body, port, wire }) => void wire.socket.write(runRequest(port, body).slice(0, -20))
  ],
  ["with the last byte of its body", async ({ body, port, wire }) => void wire.socket.write(runRequest(port, body))],
  [
    "at the start of the run",
    async ({ body, port, wire }) => {
      wire.socket.write(runRequest(port, body))
      await wire.until((got) => got.includes("RUN_STARTED"))
    }
  ],
  [
    "in the middle of the answer",
    async ({ body, port, wire }) => {
      wire.socket.write(runRequest(port, body))
      await wire.until((got) => got.split("TEXT_MESSAGE_CONTENT").length > 5)
    }
  ]
]

/** How it vanishes: with a reset, or with a FIN and no more reading. */
const ways: ReadonlyArray<readonly [how: string, vanish: (wire: Wire) => void]> = [
  ["by a reset", ({ socket }) => void socket.resetAndDestroy()],
  ["by closing", ({ socket }) => void socket.destroy()],
  ["by closing its half", ({ socket }) => void socket.end()]
]

const cases = steps.flatMap(([when, act]) => ways.map(([how, vanish]) => [when, how, act, vanish] as const))

/** Posts a run until the one before is over. */
const untilAnswered = async (url: string, threadId: string): Promise<string> => {
  for (let attempt = 0; attempt < 600; attempt++) {
    try {
      const events = await postRun(url, runBody(threadId, "again"))
      const started = events.findLastIndex(({ type }) => type === "RUN_STARTED")
      expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } })
      return textIn(events.slice(started))
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes("THREAD_BUSY")) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  throw new Error("the thread stays busy")
}

describe("a client that vanishes", () => {
  it.live("at each step, in each way, many times, leaves nothing behind", () =>
    Effect.gen(function* () {
      const before = countsOf()
      const folder = yield* scratch
      yield* Effect.scoped(
        listening(launcher, { session: { cwd: folder, stopTimeout: "2 seconds" } }, async ({ url }) => {
          const port = Number(new URL(url).port)
          const threads = async (round: number) => {
            await Promise.all(
              cases.map(async ([when, how, act, vanish], index) => {
                const wire = wireTo(port)
                // One process for all ways of a step, so that there are few.
                const threadId = `${when}-${how}`
                await act({ wire, port, body: runBody(threadId, "count") })
                vanish(wire)
                await wire.closed
                expect(await untilAnswered(url, threadId), `${round} ${index} ${when} ${how}`).toBe("You said again.")
              })
            )
          }
          await threads(0)
          const held = megabytes()
          const open = countsOf()
          for (let round = 1; round < 3; round++) await threads(round)
          await Effect.runPromise(backTo(open))
          expect(megabytes() - held).toBeLessThan(8)
        })
      )
      expect(livingIn(folder)).toEqual([])
      yield* backTo(before)
    })
  )

  it.live("from a page of CopilotKit leaves its run alone, and finds it when it comes back", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      yield* listening(launcher, { session: { cwd: folder } }, async ({ url }) => {
        const port = Number(new URL(url).port)
        const wire = wireTo(port)
        const request = runRequest(port, runBody("t", "count")).replace("POST /", "POST /kit/agent/default/run")
        wire.socket.write(request)
        await wire.until((got) => got.split("TEXT_MESSAGE_CONTENT").length > 3)
        wire.socket.destroy()
        await wire.closed
        const back = wireTo(port)
        back.socket.write(runRequest(port, runBody("t", "")).replace("POST /", "POST /kit/agent/default/connect"))
        await back.until((got) => got.includes("TEXT_MESSAGE_CONTENT"))
        writeFileSync(join(folder, "stop-counting"), "")
        await back.until(hasFinished)
        back.socket.destroy()
        const events = eventsIn(back.got().replace(/\r\n[0-9a-f]+\r\n/g, ""))
        const counted = readFileSync(join(folder, "counted"), "utf8")
        const live = textIn(events)
        // What was said before is in the snapshot, the rest comes as it is said: together the whole, once.
        expect(counted.endsWith(live)).toBe(true)
        expect(events.find(({ type }) => type === "MESSAGES_SNAPSHOT")).toMatchObject({
          messages: expect.arrayContaining([expect.objectContaining({ content: counted.slice(0, -live.length) })])
        })
      })
    })
  )
})
