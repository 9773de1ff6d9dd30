/** What serve keeps, and what it takes over of what earlier versions kept. */
import { createHash } from "node:crypto"
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Store, trunk } from "@agentwire/bridge/store"
import { afterEach, beforeEach, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { layerData } from "../../src/serve/Data.ts"

let root = ""
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-data-")))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** An index of an earlier version, with one thread in which something was said. */
const writeOld = (): string => {
  const index = join(root, "index.json")
  const thread = {
    threadId: "old",
    cwd: "/project",
    mode: "planner",
    title: "Words",
    updatedAt: 7,
    agent: { model: "m" }
  }
  writeFileSync(index, JSON.stringify({ version: 1, sessions: [thread] }))
  mkdirSync(`${index}.history`)
  const entries = [{ id: "p", lane: null, kind: "prompt", content: "Words" }]
  const name = createHash("sha256").update("old").digest("hex").slice(0, 40)
  writeFileSync(
    join(`${index}.history`, `${name}.json`),
    JSON.stringify({ version: 2, threadId: "old", transcript: { entries, omitted: 0 } })
  )
  return index
}

const inStore = <A, E>(imports: ReadonlyArray<string>, use: (store: Store["Service"]) => Effect.Effect<A, E>) =>
  Effect.flatMap(Store, use).pipe(
    Effect.provide(layerData({ folder: join(root, "data"), durability: "normal", imports }, "/"))
  )

describe("threads of an earlier version", () => {
  it.live("are there, with what was said, and do not come back once they are removed", () =>
    Effect.gen(function* () {
      const index = writeOld()
      const before = readFileSync(index, "utf8")
      yield* inStore([index], (store) =>
        Effect.gen(function* () {
          expect(yield* store.thread("old")).toMatchObject({
            cwd: "/project",
            mode: "planner",
            title: "Words",
            options: { model: "m" },
            activeAt: 7
          })
          expect((yield* store.entries("old", { path: trunk })).entries).toMatchObject([
            { entry: { content: "Words" } }
          ])
          yield* store.remove("old")
        })
      )
      yield* inStore([index], (store) => Effect.map(store.thread("old"), (thread) => expect(thread).toBeUndefined()))
      expect(readFileSync(index, "utf8")).toBe(before)
    })
  )

  it.live("are not missed where there are none", () =>
    inStore([join(root, "nowhere.json")], (store) =>
      Effect.map(store.threads(), ({ threads }) => expect(threads).toEqual([]))
    )
  )
})
