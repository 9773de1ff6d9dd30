/** Files are streamed: half a million events, and a million in a sweep, are judged in a heap that could not hold them. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { expect, it } from "vitest"
import { sweeping } from "../../../fixtures/test/Sweep.ts"
import { agentwireArgs } from "../AgentwireCommand.ts"
import { sse, textOf } from "./streams.ts"

const blocks = sweeping ? 1000 : 500

it(`judges ${blocks * 1000} events, a tenth of them wrong, in constant memory`, async () => {
  // What the command and the loader of its sources take is about half of this; half a million parsed events are more than the rest.
  const heap = "--max-old-space-size=128"
  const child = spawn(process.execPath, [heap, ...agentwireArgs, "conform", "-", "--json"], {
    stdio: ["pipe", "pipe", "inherit"]
  })
  let lines = 0
  let tail = ""
  child.stdout.on("data", (chunk: Buffer) => {
    for (const byte of chunk) if (byte === 10) lines++
    tail = (tail + chunk.toString("latin1")).slice(-1000)
  })
  const closed = once(child, "close")
  const ids = { threadId: "t", runId: "r" }
  child.stdin.write(sse([{ type: "RUN_STARTED", ...ids, protocolVersion: "1.0" }]))
  for (let block = 0; block < blocks; block++) {
    // A message of nine events, and an end of what never began: a hundred times.
    const text = Array.from({ length: 100 }, (_, at) => {
      const [start = {}, content = {}, end = {}] = textOf(`m${block}-${at}`, "Hello")
      const nothing = { type: "TEXT_MESSAGE_END", messageId: `n${block}-${at}` }
      return sse([start, ...Array.from({ length: 7 }, () => content), end, nothing])
    }).join("")
    if (!child.stdin.write(text)) await once(child.stdin, "drain")
  }
  child.stdin.end(sse([{ type: "RUN_FINISHED", ...ids, outcome: { type: "success" } }]))
  expect(await closed).toEqual([1, null])
  expect(lines).toBe(blocks * 100 + 1)
  expect(JSON.parse(tail.trim().split("\n").at(-1) ?? "")).toMatchObject({
    summary: { verdict: "fail", errors: blocks * 100 },
    files: [{ events: blocks * 1000 + 2 }]
  })
}, 300_000)
