/** Who comes in by WebSocket, whichever protocol is spoken then. */
import { assert, describe, it } from "vitest"
import { token } from "../../Serving.ts"
import { knock, PlainClient } from "../gateway/PlainClient.ts"
import { managed } from "../management/Managed.ts"

describe("who comes in", () => {
  it("has the token: in a header, or offered as a protocol", () =>
    managed(
      async ({ server: { url } }) => {
        const offered = `bearer.${Buffer.from(token).toString("base64url")}`
        const wrong = `bearer.${Buffer.from("wrong").toString("base64url")}`
        const page = await knock(url, {}, ["agentwire", offered])
        assert.instanceOf(page, PlainClient)
        assert.strictEqual((page as PlainClient).socket.protocol, "agentwire")
        assert.deepStrictEqual(
          await Promise.all([
            knock(url),
            knock(url, {}, ["agentwire"]),
            knock(url, {}, ["agentwire", wrong]),
            knock(url, {}, ["agentwire", offered, wrong]),
            knock(url, { authorization: `Bearer ${token}` }, ["agentwire", wrong]),
            knock(url, { authorization: `Bearer ${token}`, origin: "http://evil.example" }),
            knock(url, { authorization: `Bearer ${token}`, host: "evil.example" })
          ]),
          [401, 401, 401, 401, 401, 403, 403]
        )
      },
      { http: { gateway: {} } }
    ))

  it("is sent away where there is no entrance", () =>
    managed(
      async ({ server: { url } }) => {
        assert.strictEqual(await knock(url, { authorization: `Bearer ${token}` }), 404)
      },
      { http: { appServer: { runtime: "claude", cwd: "/" } } }
    ))
})
