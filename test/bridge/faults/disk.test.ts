/**
 * Disks that refuse, under `agentwire serve` as a process of its own: threads go on being served, the log says what is
 * not kept, and what was kept before is whole.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, describe, expect, test } from "vitest"
import { eventually } from "../../../packages/bridge/test/FakeCli.ts"
import { backTo, countsOf } from "../Counts.ts"
import { postRun, runBody, textIn } from "../RawRun.ts"
import { type ServeProcess, startServe } from "../ServeProcess.ts"

let serve: ServeProcess | undefined

afterEach(async () => {
  await serve?.stop()
  serve = undefined
})

const stateOf = (root: string): string => join(root, "state")
const indexOf = (root: string): string => join(stateOf(root), "index.json")

const kept = (threads: number): string =>
  JSON.stringify({
    version: 1,
    sessions: Array.from({ length: threads }, (_, n) => ({
      threadId: `thread-${n}`,
      providerSessionId: "11111111-1111-4111-8111-111111111111",
      cwd: "/",
      updatedAt: n + 1
    }))
  })

const logged = (code: string): boolean => serve?.log().some((entry) => entry["code"] === code) === true

describe("a disk that takes no more", () => {
  test("does not stop the threads, is told once, and leaves what was there", async () => {
    const before = kept(40)
    serve = await startServe({
      args: (root) => ["--index", indexOf(root)],
      prepare: (root) => {
        mkdirSync(stateOf(root))
        writeFileSync(indexOf(root), before)
      },
      // In blocks of 512 bytes: less than the index has.
      before: "ulimit -f 8"
    })
    expect(before.length).toBeGreaterThan(4096)
    const { pid, root, url } = serve
    expect(textIn(await postRun(url, runBody("fresh", "one")))).toBe("You said one.")
    const open = countsOf(pid)
    for (const prompt of ["two", "three"])
      expect(textIn(await postRun(url, runBody("fresh", prompt)))).toBe(`You said ${prompt}.`)
    await Effect.runPromise(eventually(() => logged("INDEX_UNWRITABLE")))
    expect(serve.log().filter((entry) => entry["code"] === "INDEX_UNWRITABLE")).toHaveLength(1)
    expect(readFileSync(indexOf(root), "utf8")).toBe(before)
    // No half files: a full disk would stay full of them.
    expect(readdirSync(stateOf(root)).filter((name) => name.includes(".new"))).toEqual([])
    await Effect.runPromise(backTo(open, pid))
    expect(await serve.stop()).toBe(0)
  })
})

describe("a place that cannot be used", () => {
  const places: ReadonlyArray<readonly [name: string, prepare: (root: string) => void, words: RegExp]> = [
    ["a file where the folder is to be", (root) => writeFileSync(stateOf(root), ""), /(EEXIST|ENOTDIR).*--index/s],
    [
      "a folder where the file is to be",
      (root) => mkdirSync(indexOf(root), { recursive: true }),
      /not a file.*--index/s
    ],
    [
      "a file where the conversations are to be",
      (root) => {
        mkdirSync(stateOf(root))
        writeFileSync(`${indexOf(root)}.history`, "")
      },
      /Conversations cannot be kept.*--index/s
    ]
  ]
  test.each(places)("%s is told at the start, in words", async (_, prepare, words) => {
    let root = ""
    const started = startServe({
      args: (folder) => ["--index", indexOf(folder)],
      prepare: (folder) => {
        root = folder
        prepare(folder)
      }
    })
    const error = await started.then(
      () => "it started",
      (cause: unknown) => String(cause)
    )
    expect(root).not.toBe("")
    expect(error).toMatch(words)
    expect(error).not.toMatch(/\n\s+at /)
  })

  test("a disk without room for the lock is told as full or unwritable, and leaves no draft of it", async () => {
    let names: ReadonlyArray<string> = []
    const started = startServe({
      args: (folder) => ["--index", indexOf(folder)],
      prepare: (folder) => mkdirSync(stateOf(folder)),
      before: "ulimit -f 0",
      onEnd: (folder) => {
        names = readdirSync(stateOf(folder))
      }
    })
    await expect(started).rejects.toThrow(/EFBIG/)
    expect(names).toEqual([])
  })
})
