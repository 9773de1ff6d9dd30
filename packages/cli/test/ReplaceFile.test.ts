import {
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openPrivate, replaceFile } from "../src/ReplaceFile.ts"

let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-replace-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const writeText = (path: string, text: string): void => replaceFile(path, 0o600, (at) => writeFileSync(at, text))

const writePrivate = async (path: string, text: string): Promise<void> => {
  const file = await openPrivate(path)
  await file.write(text)
  await file.close()
}

describe.each([
  ["replaceFile", writeText],
  ["openPrivate", writePrivate]
])("%s", (_, write) => {
  it.each([symlinkSync, linkSync])("leaves alone what a link leads to", async (link) => {
    const [target, path] = [join(folder, "target"), join(folder, "file")]
    writeFileSync(target, "precious")
    link(target, path)
    await write(path, "new")
    expect([readFileSync(target, "utf8"), readFileSync(path, "utf8")]).toEqual(["precious", "new"])
    expect(lstatSync(path).isFile() && statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder).sort()).toEqual(["file", "target"])
  })

  it("leaves nothing beside a folder of that name", async () => {
    const path = join(folder, "folder")
    mkdirSync(path)
    await expect((async () => write(path, "new"))()).rejects.toThrow()
    expect(readdirSync(folder)).toEqual(["folder"])
  })
})

describe("replaceFile", () => {
  it("leaves what was there when the writing fails", () => {
    const path = join(folder, "file")
    writeFileSync(path, "before")
    expect(() =>
      replaceFile(path, 0o600, () => {
        throw new Error("the disk is full")
      })
    ).toThrow("the disk is full")
    expect(readFileSync(path, "utf8")).toBe("before")
    expect(readdirSync(folder)).toEqual(["file"])
  })
})
