/** Where the two meet: beside what is kept, on this machine, in a folder that nobody else looks into. */
import { chmodSync, statSync } from "node:fs"
import { join } from "node:path"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { linkAddress, makePrivate, placeWords } from "../../src/link/Place.ts"
import { inFolder } from "./InFolder.ts"

const place = (given?: string, data = "/data") =>
  Result.match(linkAddress(data, given), { onSuccess: ({ place }) => placeWords(place), onFailure: ({ code }) => code })

describe("the address of a link", () => {
  it.each([
    [undefined, "/data/link/runtime.sock"],
    ["/run/a.sock", "/run/a.sock"],
    ["tcp://127.0.0.1:3299", "tcp://127.0.0.1:3299"],
    ["tcp://[::1]:3299", "tcp://[::1]:3299"],
    ["tcp://10.0.0.1:3299", "LINK_FAILED"],
    ["tcp://127.0.0.1", "LINK_FAILED"],
    ["http://127.0.0.1:80", "LINK_FAILED"],
    ["tcp://", "LINK_FAILED"]
  ])("of %s is %s", (given, found) => {
    expect(place(given)).toBe(found)
  })

  it("is a short path where that of the data is too long for a socket, and always the same", () => {
    const long = `/${"d".repeat(120)}`
    expect(place(undefined, long).length).toBeLessThan(100)
    expect(place(undefined, long)).toBe(place(undefined, long))
    expect(place(undefined, long)).not.toBe(place(undefined, `${long}e`))
  })
})

describe("a private folder", () => {
  it("is its owner's alone, also when it was not before", () =>
    inFolder((root) => {
      const folder = join(root, "link")
      makePrivate(folder)
      expect(statSync(folder).mode & 0o777).toBe(0o700)
      chmodSync(folder, 0o755)
      makePrivate(folder)
      expect(statSync(folder).mode & 0o777).toBe(0o700)
    }))
})
