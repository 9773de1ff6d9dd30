/** Files that agents keep are read within a budget, and what is wrong with one is said. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type FileBudget, readKeptFile } from "../../../src/runtime/kept/KeptFile.ts"

const folder = mkdtempSync(join(tmpdir(), "agentwire-kept-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const fileOf = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** Holds all that it reads. */
const makeReader = () => {
  let text = ""
  return {
    get held() {
      return text.length
    },
    push: (chunk: Uint8Array) => {
      text += Buffer.from(chunk).toString()
    },
    end: () => text
  }
}

const read = (file: string, budget: FileBudget) => readKeptFile(file, makeReader, budget)

describe("a kept file", () => {
  it.effect("is read whole, and takes from what is left for the next", () =>
    Effect.gen(function* () {
      const budget = { maxBytes: 8, left: 8 }
      const file = fileOf("one", "12345")
      expect(yield* read(file, budget)).toBe("12345")
      expect(budget.left).toBe(3)
      expect(yield* Effect.flip(read(file, budget))).toMatchObject({
        code: "TRANSCRIPT_TOO_LARGE",
        message: `${file} is more than may be held in memory: over 8 bytes.`
      })
      expect(yield* read(fileOf("two", "678"), budget)).toBe("678")
    })
  )

  it.effect("that is not there, or is none, is an error that names it", () =>
    Effect.gen(function* () {
      const budget = { maxBytes: 8, left: 8 }
      const nothing = join(folder, "nothing")
      expect(yield* Effect.flip(read(nothing, budget))).toMatchObject({
        code: "TRANSCRIPT_NOT_FOUND",
        message: `There is nothing at ${nothing}.`
      })
      expect(yield* Effect.flip(read(folder, budget))).toMatchObject({ code: "TRANSCRIPT_UNREADABLE", path: folder })
    })
  )
})
