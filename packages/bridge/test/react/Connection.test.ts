/** Whether a bridge can be reached, as a page sees it. */
import { describe, expect, it, onTestFinished } from "vitest"
import { makeClient } from "../../src/client/Client.ts"
import { Bridge } from "../../src/embed/Bridge.ts"
import { Connection, type ConnectionState } from "../../src/react/Connection.ts"
import { echo } from "../AgentLines.ts"
import { fakeAgents } from "../FakeAgent.ts"

const next = (connection: Connection): Promise<ConnectionState> =>
  new Promise((resolve) => {
    const off = connection.subscribe(() => {
      off()
      resolve(connection.value())
    })
  })

const served = async (port = 0) => {
  const token = "a-token-of-at-least-sixteen-characters"
  const bridge = new Bridge({ agent: fakeAgents(echo).layer, cwd: "/", port, token })
  onTestFinished(() => bridge.stop())
  return { bridge, ...(await bridge.start()), token }
}

describe("a connection", () => {
  it("is connecting, then connected, refused or unreachable", async () => {
    const { token, url } = await served()
    const connection = new Connection(makeClient({ url, token }))
    expect(connection.value().status).toBe("connecting")
    expect(await next(connection)).toEqual({ status: "connected", error: undefined })
    const wrong = new Connection(makeClient({ url, token: "another-token-altogether" }))
    expect(await next(wrong)).toMatchObject({ status: "refused", error: { code: "UNAUTHORIZED" } })
    const nobody = new Connection(makeClient({ url: "http://127.0.0.1:1" }))
    expect(await next(nobody)).toMatchObject({ status: "unreachable", error: { code: "UNREACHABLE" } })
  })

  it("is looked for until it is there", async () => {
    const { bridge, port, token, url } = await served()
    await bridge.stop()
    const connection = new Connection(makeClient({ url, token }))
    const states: Array<string> = []
    onTestFinished(connection.subscribe(() => states.push(connection.value().status)))
    expect((await next(connection)).status).toBe("unreachable")
    const back = next(connection)
    await served(port)
    expect((await back).status).toBe("connected")
    expect(states).toEqual(["unreachable", "connected"])
  })

  it("asks nothing while nobody wants to know", async () => {
    let asked = 0
    const fetch = () => {
      asked++
      return Promise.reject(new TypeError("nobody is there"))
    }
    const connection = new Connection(makeClient({ url: "http://127.0.0.1:1", fetch }))
    expect(asked).toBe(0)
    await next(connection)
    expect(asked).toBe(1)
  })
})
