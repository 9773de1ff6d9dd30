/** A handler inside somebody else's server: paths, and when there is no bridge. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it, onTestFinished } from "vitest"
import { type Availability, mountedHandler } from "../../src/embed/MountedHandler.ts"

/** What a server with the handler answers: the path that the bridge was given, or a refusal. */
const asked = async (path: string, prefix: string, now?: Availability): Promise<unknown> => {
  const echo: Availability = {
    _tag: "Serving",
    handler: ({ url }, response) => void response.end(JSON.stringify(url))
  }
  const server = createServer(mountedHandler(prefix, () => now ?? echo))
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)
  return answer.json()
}

describe("the prefix", () => {
  it.each([
    ["/agent", "/agent/health", "/health"],
    ["/agent", "/agent/health?x=1", "/health?x=1"],
    ["/agent", "/agent", "/"],
    ["/agent", "/agent?x=1", "/?x=1"],
    ["/agent", "/agent/agent/default/run", "/agent/default/run"],
    ["/agent", "/agents/health", "/agents/health"],
    ["/agent", "/health", "/health"],
    ["", "/health", "/health"]
  ])("%s makes of %s the path %s", async (prefix, path, given) => {
    expect(await asked(path, prefix)).toBe(given)
  })
})

it("a bridge that does not run answers with why", async () => {
  expect(await asked("/", "", { _tag: "Closed", message: "not yet" })).toEqual({
    error: { code: "CLOSING", message: "not yet" }
  })
})
