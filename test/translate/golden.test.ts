/**
 * What a client has in the end after the strangest recorded sessions. The files in `golden/` were made once, read
 * line by line against the recorded wire, and say why they are right.
 */
import { readdirSync, readFileSync } from "node:fs"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import type { Transport } from "@agentwire/fixtures/scenario"
import { describe, expect, test } from "vitest"
import { outcomeOf } from "./Outcome.ts"

const folder = fileURLToPath(new URL("golden/", import.meta.url))
const files = readdirSync(folder)

interface Golden {
  readonly why: string
  readonly ends: ReadonlyArray<string>
  readonly messages: ReadonlyArray<unknown>
}

describe("the messages a client has after", () => {
  test("at least twenty sessions", () => expect(files.length).toBeGreaterThanOrEqual(20))

  test.each(files)("%s", (file) => {
    const golden = JSON.parse(readFileSync(`${folder}${file}`, "utf8")) as Golden
    const [scenario = "", version = "", transport] = basename(file, ".json").split("@")
    expect(golden.why.length).toBeGreaterThan(40)
    expect(
      outcomeOf({ scenario, version, ...(transport === undefined ? {} : { transport: transport as Transport }) })
    ).toEqual({
      ends: golden.ends,
      messages: golden.messages
    })
  })
})
