import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { protobufEncode } from "../../src/serve/Protobuf.ts"

const folder = mkdtempSync(join(tmpdir(), "agentwire-protobuf-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const moduleOf = (name: string, code: string): string => {
  const path = join(folder, name)
  writeFileSync(path, code)
  return path
}

it("is what the package gives, and nothing where there is none", async () => {
  const code = "export const encode = (event) => new Uint8Array([event.type.length])"
  const encode = await protobufEncode(moduleOf("proto.mjs", code))
  expect(encode?.({ type: "RUN_ERROR", message: "x" })).toEqual(new Uint8Array([9]))
  expect(await protobufEncode("@agentwire/no-such-package")).toBeUndefined()
  expect(await protobufEncode(moduleOf("other.mjs", "export const nothing = 1"))).toBeUndefined()
})
