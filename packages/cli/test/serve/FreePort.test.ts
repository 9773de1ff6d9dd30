import { createServer, type Server } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { freePort } from "../../src/serve/FreePort.ts"

const host = "127.0.0.1"
const open: Array<Server> = []
afterEach(() => {
  for (const server of open.splice(0)) server.close()
})

const take = (port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once("error", reject)
    open.push(server)
    server.listen({ host, port }, () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  })

describe("a free port", () => {
  it("is not one that is taken, and can be listened on", async () => {
    const taken = await take(0)
    const free = await freePort({ host, port: taken })
    expect(free).toBeGreaterThan(taken)
    expect(await take(free)).toBe(free)
    expect(await freePort({ host, port: taken })).toBeGreaterThan(free)
  })

  it("is the one that is asked for where nothing can be listened on", async () => {
    expect(await freePort({ host: "192.0.2.1", port: 3210 })).toBe(3210)
    // Each try would ask for the name again.
    expect(await freePort({ host: "no-such-host.invalid", port: 3210 })).toBe(3210)
  })
})
