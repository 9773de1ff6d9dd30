/**
 * Folders outside the roots, against `agentwire serve` as a process of its own: by the management API, and by a database
 * that somebody has changed. No agent starts there, also not through a link, and threads of such folders are not there.
 */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { eventually, livingIn } from "../../../packages/bridge/test/FakeCli.ts"
import { putThreads } from "../Kept.ts"
import { head, postRun, runBody, runRequest, textIn } from "../RawRun.ts"
import { type ServeProcess, startServe } from "../ServeProcess.ts"
import { attack } from "./Attack.ts"

/** Folders, below a folder that holds `project`, which is the root, `outside` and `project-2`. */
const folders: ReadonlyArray<readonly [name: string, folder: (root: string) => string, code: string]> = [
  ["the root of the disk", () => "/", "CWD_OUTSIDE_ROOTS"],
  ["a folder of the system", () => "/etc", "CWD_OUTSIDE_ROOTS"],
  ["a folder that may not even exist", () => "/nowhere/at/all", "CWD_OUTSIDE_ROOTS"],
  ["the folder above", (root) => root, "CWD_OUTSIDE_ROOTS"],
  ["a folder beside", (root) => join(root, "outside"), "CWD_OUTSIDE_ROOTS"],
  ["a folder beside, with the root's name in its own", (root) => join(root, "project-2"), "CWD_OUTSIDE_ROOTS"],
  ["a way out of the root", (root) => `${root}/project/../outside`, "CWD_OUTSIDE_ROOTS"],
  ["a link out of the root", (root) => join(root, "project", "link"), "CWD_OUTSIDE_ROOTS"],
  ["a way through a link", (root) => `${root}/project/link/../outside`, "CWD_OUTSIDE_ROOTS"],
  ["a link to a link out of the root", (root) => join(root, "project", "link-2"), "CWD_OUTSIDE_ROOTS"],
  ["a folder below a link", (root) => join(root, "project", "link", "below"), "CWD_OUTSIDE_ROOTS"],
  ["a file of the root", (root) => join(root, "project", "file"), "CWD_NOT_A_FOLDER"],
  ["a folder that is not there", (root) => join(root, "project", "none"), "CWD_MISSING"],
  ["a relative path", () => "project", "CWD_NOT_ABSOLUTE"],
  ["a home", () => "~", "CWD_NOT_ABSOLUTE"],
  ["a NUL", (root) => `${root}/project\0/etc`, "CWD_BAD_PATH"]
]

let serve: ServeProcess

const prepare = async (root: string): Promise<void> => {
  for (const folder of ["outside", "outside/below", "project-2"]) mkdirSync(join(root, folder))
  writeFileSync(join(root, "project", "file"), "")
  symlinkSync(join(root, "outside"), join(root, "project", "link"))
  symlinkSync(join(root, "project", "link"), join(root, "project", "link-2"))
  const threads = folders.map(([threadId, folder]) => ({
    threadId,
    providerSessionId: "11111111-1111-4111-8111-111111111111",
    cwd: folder(root)
  }))
  await Effect.runPromise(putThreads(join(root, "data"), threads))
}

beforeAll(async () => {
  serve = await startServe({ prepare, args: (root) => ["--data", join(root, "data")] })
})

afterAll(async () => {
  await serve?.stop()
})

const agentsStarted = (): number => serve.log().filter(({ event }) => event === "agent started").length

describe("a folder outside the roots", () => {
  const isBelow = (code: string): boolean => code === "CWD_MISSING" || code === "CWD_NOT_A_FOLDER"

  test.each(folders.filter(([, , code]) => !isBelow(code)))(
    "from a changed database: %s has no threads",
    async (threadId) => {
      const run = attack(serve, runRequest(serve.port, runBody(threadId, "one")))
      const line = `GET /api/sessions/${encodeURIComponent(threadId)}/messages HTTP/1.1`
      const read = attack(serve, head(serve.port, {}, line))
      expect([(await run).status, (await run).code]).toEqual([409, "THREAD_EXISTS"])
      expect([(await read).status, (await read).code]).toEqual([404, "SESSION_NOT_FOUND"])
    }
  )

  test.each(folders.filter(([, , code]) => isBelow(code)))("from a changed database: %s", async (threadId, _, code) => {
    const events = await postRun(serve.url, runBody(threadId, "one"))
    expect(events.at(-1)).toMatchObject({ type: "RUN_ERROR", code })
    const isTold = (entry: Readonly<Record<string, unknown>>) => entry["thread"] === threadId && entry["code"] === code
    await Effect.runPromise(eventually(() => serve.log().some(isTold)))
  })

  test.each(folders)("from the management API: %s", async (_, folder, code) => {
    const body = JSON.stringify({ cwd: folder(serve.root) })
    const headers = { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(body)) }
    const answer = await attack(serve, head(serve.port, headers, "POST /api/sessions HTTP/1.1") + body)
    expect([answer.status, answer.code]).toEqual([403, "FOLDER_REFUSED"])
    expect(answer.text).toContain(code)
  })

  test("nothing was started there, and a thread in the root is served", async () => {
    expect(agentsStarted()).toBe(0)
    for (const folder of [serve.root, join(serve.root, "outside"), join(serve.root, "project-2")])
      expect(livingIn(folder)).toEqual([])
    expect(textIn(await postRun(serve.url, runBody("sound", "one")))).toBe("You said one.")
    expect(agentsStarted()).toBe(1)
  })
})

describe("a start outside the roots", () => {
  test("does not happen", async () => {
    const started = startServe({ args: (root) => ["--no-data", "--root", join(root, "home")] })
    await expect(started).rejects.toThrow(/not under a folder that this bridge may work in/)
  })
})
