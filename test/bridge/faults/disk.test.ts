/**
 * Disks that refuse, under `agentwire serve` as a process of its own: whoever waits is told why, what was seen before is
 * whole, and all goes on once there is room.
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, readlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Agui } from "@agentwire/protocol"
import * as Effect from "effect/Effect"
import { afterEach, describe, expect, test } from "vitest"
import { eventually } from "../../../packages/bridge/test/FakeCli.ts"
import { eventsIn, postRun, runBody, runRequest, textIn, wireTo } from "../RawRun.ts"
import { type ServeProcess, startServe } from "../ServeProcess.ts"

let serve: ServeProcess | undefined

afterEach(async () => {
  await serve?.stop()
  serve = undefined
})

const dataOf = (root: string): string => join(root, "data")

/** The agents that live, by their folder. */
const agentsIn = (folder: string): number =>
  readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === folder
    } catch {
      return false // it ended, or is somebody else's
    }
  }).length

/** The messages of a thread, as a page has them that is loaded. */
const messagesOf = async (url: string, threadId: string): Promise<ReadonlyArray<Agui.Message>> =>
  Agui.foldEvents(await postRun(`${url}/agent/default/connect`, runBody(threadId, "", { messages: [] }))).messages

describe("a disk that takes no more", () => {
  test("ends the turn with its reason, loses nothing that was seen, and threads go on once there is room", async () => {
    serve = await startServe({
      args: (root) => ["--data", dataOf(root)],
      // In blocks of 512 bytes. A soft limit: it can be raised from outside.
      before: "ulimit -S -f 2400"
    })
    const { pid, port, project, url } = serve
    expect(textIn(await postRun(url, runBody("other", "one")))).toBe("You said one.")
    const before = agentsIn(project)
    const wire = wireTo(port)
    wire.socket.write(runRequest(port, runBody("t", "count")))
    await wire.until((got) => got.includes("RUN_ERROR"))
    const events = eventsIn(wire.got())
    const seen = textIn(events)
    expect(events.at(-1)).toMatchObject({
      type: "RUN_ERROR",
      code: expect.stringMatching(/^STORE_(UNWRITABLE|DISK_FULL)$/)
    })
    expect(seen.length).toBeGreaterThan(100)
    wire.socket.destroy()
    // The agent of that thread is ended, and no other.
    await Effect.runPromise(eventually(() => agentsIn(project) === before))
    const { log } = serve
    await expect.poll(log).toContainEqual(expect.objectContaining({ level: "error", thread: "t" }))

    execFileSync("prlimit", ["--pid", String(pid), "--fsize=unlimited:"])
    expect(textIn(await postRun(url, runBody("other", "two")))).toBe("You said two.")
    const [, answer] = await messagesOf(url, "t")
    expect(String(answer?.content).startsWith(seen)).toBe(true)
    // The agent that was ended has kept nothing: the next one is told what it lacks, once, before the prompt.
    expect(textIn(await postRun(url, runBody("t", "three")))).toMatch(/^You said \d{3} characters\.$/)
    expect(textIn(await postRun(url, runBody("t", "four")))).toBe("You said four.")
    expect(await serve.stop()).toBe(0)
  })
})

describe("a place that cannot be used", () => {
  const places: ReadonlyArray<readonly [name: string, prepare: (root: string) => void, words: RegExp]> = [
    ["a file where the folder is to be", (root) => writeFileSync(dataOf(root), ""), /--data DIR/],
    [
      "a folder where the database is to be",
      (root) => mkdirSync(join(dataOf(root), "agentwire.db"), { recursive: true }),
      /--data DIR/
    ],
    [
      "something else in its place",
      (root) => {
        mkdirSync(dataOf(root))
        writeFileSync(join(dataOf(root), "agentwire.db"), "This is no database. ".repeat(100))
      },
      /--data DIR/
    ]
  ]
  test.each(places)("%s is told at the start, in words", async (_, prepare, words) => {
    const error = await startServe({ args: (folder) => ["--data", dataOf(folder)], prepare }).then(
      () => "it started",
      (cause: unknown) => String(cause)
    )
    expect(error).toMatch(words)
    expect(error).toContain("agentwire.db")
    expect(error).not.toMatch(/\n\s+at /)
  })

  test("a disk without any room is told as unwritable", async () => {
    const started = startServe({ args: (folder) => ["--data", dataOf(folder)], before: "ulimit -f 0" })
    await expect(started).rejects.toThrow(/--data DIR/)
  })
})
