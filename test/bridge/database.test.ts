/**
 * A database that a bridge cannot use, or not all of: whoever starts it is told what is wrong and what to do, and so is
 * whoever uses a thread that is hurt, full or another bridge's. The other threads go on.
 */
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { cliLauncher } from "../../packages/bridge/src/runtime/claude/CliLauncher.ts"
import { Store } from "../../packages/bridge/src/store/Store.ts"
import { findDriver } from "../../packages/bridge/src/store/sqlite/Driver.ts"
import { databaseFile } from "../../packages/bridge/src/store/sqlite/OpenDatabase.ts"
import { makeSqliteStore } from "../../packages/bridge/src/store/sqlite/SqliteStore.ts"
import { emptyFolder } from "../../packages/bridge/test/Folder.ts"
import { smallDisk } from "../../packages/bridge/test/store/sqlite/Disk.ts"
import { scriptedMind } from "../kills/Minds.ts"
import { agentAt, listening, run, say } from "./OnBridge.ts"
import { makeServeRoot, type ServeProcess, startServe } from "./ServeProcess.ts"

const { program } = scriptedMind("at once")

const ends: Array<() => unknown> = []
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

/** A folder for bridges, and where their database is. */
const place = (): { readonly root: string; readonly file: string } => {
  const root = makeServeRoot()
  ends.push(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }))
  mkdirSync(join(root, "data"))
  return { root, file: databaseFile(join(root, "data")) }
}

const serve = async (root: string): Promise<ServeProcess> => {
  const started = await startServe({ root, args: () => ["--data", join(root, "data"), "--cli", program] })
  ends.push(started.kill)
  return started
}

/** What came of saying something on a thread: the answer, or why there is none. */
const said = async (url: string, threadId: string, words: string): Promise<string> => {
  const page = agentAt(url, undefined, threadId)
  const refused = await run(say(page, words)).then(
    ({ error }) => error && `${error.code} ${error.message}`,
    (cause: unknown) => String(cause)
  )
  return refused ?? String(page.messages.at(-1)?.content)
}

describe("a bridge does not start", () => {
  it.each([
    [
      "a database of a later version",
      (file: string) => {
        const database = findDriver()?.open(file)
        database?.exec("PRAGMA user_version = 77")
        database?.close()
      },
      /^A later version of agentwire has written .*agentwire\.db: .* Update agentwire/
    ],
    [
      "one that is damaged",
      (file: string) => writeFileSync(file, "no database ".repeat(1000)),
      /^The database .*agentwire\.db is damaged: .*restore a backup.*begins with an empty one/
    ]
  ])("on %s, says what to do, and leaves it as it is", async (_, make, words) => {
    const { file, root } = place()
    make(file)
    const before = readFileSync(file)
    const error: unknown = await serve(root).then(
      () => "it started",
      (cause: unknown) => cause
    )
    const [, code, message] = /ended with (\d+): (.*)/s.exec(String(error)) ?? []
    expect(code).toBe("2")
    expect(message).toMatch(words)
    expect(message).toContain("--data DIR chooses another place, --no-data keeps nothing.")
    expect(readFileSync(file).equals(before)).toBe(true)
  })
})

const pageSize = 4096

/** Overwrites the pages of a database that have some words: long ones fill pages that are a thread's alone. */
const damage = (file: string, words: string): number => {
  // Of pages that nobody has, there are none.
  const database = findDriver()?.open(file)
  database?.exec("VACUUM")
  database?.close()
  const all = readFileSync(file)
  const hurt = Array.from({ length: Math.floor(all.length / pageSize) }, (_, page) => page * pageSize).filter((at) =>
    all.subarray(at, at + pageSize).includes(words)
  )
  const written = openSync(file, "r+")
  for (const at of hurt) writeSync(written, Buffer.alloc(pageSize, 0xa5), 0, pageSize, at)
  closeSync(written)
  return hurt.length
}

describe("the other threads go on", () => {
  it("when one is damaged, and when one is another bridge's", async () => {
    const { file, root } = place()
    const first = await serve(root)
    expect(await said(first.url, "hurt", `[h1] talk 2 ${"filler ".repeat(5000)}`)).toBe("h1:0 h1:1 ")
    expect(await said(first.url, "whole", "[w1] talk 2")).toBe("w1:0 w1:1 ")
    await first.stop()
    expect(damage(file, "filler ".repeat(575))).toBeGreaterThan(5)
    const second = await serve(root)
    const refusal = await said(second.url, "hurt", "[h2] recall")
    expect(refusal).toContain("STORE_DAMAGED")
    expect(refusal).toContain("Threads whose part is whole can still be used.")
    expect(await said(second.url, "whole", "[w2] recall")).toBe("I remember w1 w2.")
    expect(await said(second.url, "new", "[n1] talk 1")).toBe("n1:0 ")

    const third = await serve(root)
    const elsewhere = await said(third.url, "whole", "[w3] recall")
    expect(elsewhere).toContain("THREAD_ELSEWHERE")
    expect(elsewhere).toContain(`Process ${second.pid} on `)
    expect(await said(third.url, "newer", "[n2] talk 1")).toBe("n2:0 ")
    expect(await said(second.url, "whole", "[w4] recall")).toBe("I remember w1 w2 w4.")
    await second.kill()
    expect(await said(third.url, "whole", "[w5] recall")).toBe("I remember w1 w2 w4 w5.")
  })

  it.live("when the disk is full: what was said stays, and there is more when there is room", () =>
    Effect.gen(function* () {
      const { clear, driver, folder } = yield* smallDisk
      const project = yield* emptyFolder
      const store = Layer.effect(Store, makeSqliteStore({ folder, ...(driver !== undefined && { driver }) }))
      const agents = cliLauncher({ cliPath: program, env: { HOME: project } })
      yield* listening(agents, { session: { cwd: project }, store }, async ({ kit, url }) => {
        expect(await said(url, "a", "[a1] talk 2")).toBe("a1:0 a1:1 ")
        let refusal = ""
        let prompts = 0
        for (; !refusal.includes("STORE_DISK_FULL"); prompts++) {
          expect(prompts).toBeLessThan(100)
          refusal = await said(url, "b", `[b${prompts}] talk 1 ${"filler ".repeat(3000)}`)
        }
        expect(refusal).toContain("Make room")
        clear()
        expect(await said(url, "a", "[a2] talk 1")).toBe("a2:0 ")
        const page = agentAt(`${kit}/connect`, undefined, "b")
        await run(page)
        const answers = page.messages.flatMap(({ content, role }) => (role === "assistant" ? [content] : []))
        expect(answers.slice(0, prompts - 1)).toEqual(Array.from({ length: prompts - 1 }, (_, n) => `b${n}:0 `))
      })
    }).pipe(Effect.scoped)
  )
})
