import { expect, it } from "vitest"
import { protobufEncode } from "../../src/serve/Protobuf.ts"

it("is what the package gives, and nothing where there is none", async () => {
  const code = "export const encode = (event) => new Uint8Array([event.type.length])"
  const encode = await protobufEncode(`data:text/javascript,${encodeURIComponent(code)}`)
  expect(encode?.({ type: "RUN_ERROR", message: "x" })).toEqual(new Uint8Array([9]))
  expect(await protobufEncode("@agentwire/no-such-package")).toBeUndefined()
  expect(await protobufEncode("data:text/javascript,export const nothing = 1")).toBeUndefined()
})
