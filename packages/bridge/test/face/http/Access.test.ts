import { describe, expect, it } from "@effect/vitest"
import * as Redacted from "effect/Redacted"
import * as fc from "fast-check"
import {
  type AccessOptions,
  type AccessRequest,
  checkAccess,
  isLoopback,
  unsafeAccess
} from "../../../src/face/http/Access.ts"

const secret = "correct-horse-battery-staple"
const options: AccessOptions = { token: Redacted.make(secret) }
const page = "http://localhost:3000"

const asked = (changes: Partial<AccessRequest> = {}): AccessRequest => ({
  method: "POST",
  hosts: ["127.0.0.1:3210"],
  origin: undefined,
  authorizations: [`Bearer ${secret}`],
  preflightMethod: undefined,
  privateNetwork: false,
  localAddress: "127.0.0.1",
  localPort: 3210,
  ...changes
})

const codeOf = (changes: Partial<AccessRequest>, over: Partial<AccessOptions> = {}): string => {
  const verdict = checkAccess({ ...options, ...over }, asked(changes))
  return verdict._tag === "Refused" ? verdict.refusal.code : verdict._tag
}

describe("the token", () => {
  it("lets in", () => {
    expect(codeOf({})).toBe("Enter")
    expect(codeOf({ authorizations: [`bearer  ${secret}`] })).toBe("Enter")
  })
  it.each([
    "",
    "Bearer",
    "Bearer ",
    secret,
    `Basic ${secret}`,
    `Bearer ${secret}x`,
    `Bearer x ${secret}`,
    `Bearer ${secret.slice(1)}`,
    `Bearer ${secret.toUpperCase()}`
  ])("%s does not", (authorization) => {
    expect(codeOf({ authorizations: [authorization] })).toBe("UNAUTHORIZED")
  })
  it("is the only text that lets in", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(text !== secret)
        expect(codeOf({ authorizations: [`Bearer ${text}`] })).toBe("UNAUTHORIZED")
      })
    )
  })
  it("is refused in the same words whether it is missing or wrong, and is never repeated", () => {
    const right = `Bearer ${secret}`
    for (const authorizations of [
      [right, "Bearer no"],
      ["Bearer no", right],
      [right, right],
      [right, ""]
    ])
      expect(codeOf({ authorizations })).toBe("UNAUTHORIZED")
    const missing = checkAccess(options, asked({ authorizations: [] }))
    const wrong = checkAccess(options, asked({ authorizations: ["Bearer guess-guess-guess"] }))
    expect(missing).toEqual(wrong)
    expect(JSON.stringify([missing, wrong])).not.toMatch(/guess|correct-horse/)
  })
  it("may be missing on loopback when there is none", () => {
    expect(codeOf({ authorizations: [] }, { token: "none" })).toBe("Enter")
    expect(codeOf({ authorizations: [], localAddress: "::ffff:127.0.0.1" }, { token: "none" })).toBe("Enter")
    for (const localAddress of ["192.168.1.5", "::", undefined])
      expect(codeOf({ authorizations: [], localAddress }, { token: "none" })).toBe("LOOPBACK_ONLY")
  })
})

describe("the Host header", () => {
  it.each(["127.0.0.1:3210", "localhost:3210", "LOCALHOST:3210", "[::1]:3210", "127.1.2.3:3210"])(
    "%s is ours",
    (host) => {
      expect(codeOf({ hosts: [host] })).toBe("Enter")
    }
  )
  it.each([
    "evil.example:3210",
    "localhost:3211",
    "localhost",
    "localhost.evil.example:3210",
    "127.0.0.1.evil.example:3210",
    "127.0.0.256:3210",
    "localhost.:3210",
    "0.0.0.0:3210",
    "[::]:3210"
  ])("%s is not", (host) => {
    expect(codeOf({ hosts: [host] })).toBe("HOST_REFUSED")
  })
  it.each([[[]], [["127.0.0.1:3210", "evil.example"]], [[""]], [["a b"]], [["user@localhost:3210"]]])(
    "%s cannot be read",
    (hosts) => {
      expect(codeOf({ hosts })).toBe("BAD_REQUEST")
    }
  )
  it("may be left without a port on port 80", () => {
    expect(codeOf({ hosts: ["localhost"], localPort: 80 })).toBe("Enter")
  })
  it("may be a name that was allowed, with our port or its own", () => {
    const allowedHosts = ["dev.example", "proxy.example:443"]
    expect(codeOf({ hosts: ["dev.example:3210"] }, { allowedHosts })).toBe("Enter")
    expect(codeOf({ hosts: ["proxy.example:443"] }, { allowedHosts })).toBe("Enter")
    expect(codeOf({ hosts: ["dev.example:443"] }, { allowedHosts })).toBe("HOST_REFUSED")
    expect(codeOf({ hosts: ["proxy.example:3210"] }, { allowedHosts })).toBe("HOST_REFUSED")
    expect(codeOf({ hosts: ["a.dev.example:3210"] }, { allowedHosts })).toBe("HOST_REFUSED")
  })
})

describe("the Origin header", () => {
  const allowedOrigins = [page]
  it("is refused unless it is on the list, exactly", () => {
    expect(codeOf({ origin: page })).toBe("ORIGIN_REFUSED")
    expect(codeOf({ origin: page }, { allowedOrigins })).toBe("Enter")
    for (const origin of [
      "null",
      `${page}/`,
      "http://localhost:30000",
      "https://localhost:3000",
      "HTTP://LOCALHOST:3000",
      `${page}, ${page}`,
      ""
    ])
      expect(codeOf({ origin }, { allowedOrigins })).toBe("ORIGIN_REFUSED")
  })
  it("null cannot be allowed", () => {
    expect(codeOf({ origin: "null" }, { allowedOrigins: ["null"] })).toBe("ORIGIN_REFUSED")
  })
  it("is refused before the token is looked at", () => {
    expect(codeOf({ origin: "http://evil.example", authorizations: [] })).toBe("ORIGIN_REFUSED")
  })
  it("gets headers for itself alone, on errors too", () => {
    const cors = { vary: "Origin", "access-control-allow-origin": page }
    expect(
      checkAccess({ ...options, allowedOrigins: [page, "http://other.example"] }, asked({ origin: page })).headers
    ).toEqual(cors)
    expect(
      checkAccess({ ...options, allowedOrigins }, asked({ origin: page, authorizations: ["no"] })).headers
    ).toEqual(cors)
    expect(checkAccess(options, asked({ origin: page })).headers).toEqual({ vary: "Origin" })
    expect(checkAccess(options, asked()).headers).toEqual({ vary: "Origin" })
  })
  it("no verdict has a wildcard or credentials", () => {
    const origins = fc.constantFrom(undefined, page, "http://evil.example", "null", "*")
    const methods = fc.constantFrom("GET", "POST", "OPTIONS", "DELETE")
    fc.assert(
      fc.property(origins, methods, fc.boolean(), (origin, method, preflight) => {
        const { headers } = checkAccess(
          { ...options, allowedOrigins },
          asked({ origin, method, preflightMethod: preflight ? "POST" : undefined })
        )
        expect(Object.values(headers)).not.toContain("*")
        expect(headers["access-control-allow-credentials"]).toBeUndefined()
        expect([undefined, page]).toContain(headers["access-control-allow-origin"])
        if (origin !== page) expect(headers["access-control-allow-origin"]).toBeUndefined()
      })
    )
  })
})

describe("a page of the server itself", () => {
  const own = "http://127.0.0.1:3210"
  it("may ask when there are such pages, with the token like everybody", () => {
    expect(codeOf({ origin: own }, { ownPages: true })).toBe("Enter")
    expect(codeOf({ origin: own, authorizations: [] }, { ownPages: true })).toBe("UNAUTHORIZED")
  })
  it("is nobody when there are none, and is no page of another port, name or scheme", () => {
    expect(codeOf({ origin: own }, {})).toBe("ORIGIN_REFUSED")
    for (const origin of ["http://127.0.0.1:3211", "http://localhost:3210", "https://127.0.0.1:3210", "null"])
      expect(codeOf({ origin }, { ownPages: true }), origin).toBe("ORIGIN_REFUSED")
  })
})

describe("a preflight", () => {
  const preflight = { method: "OPTIONS", preflightMethod: "POST", authorizations: [] }
  it("of an allowed page is answered without a token, with what is needed and no more", () => {
    const verdict = checkAccess({ ...options, allowedOrigins: [page] }, asked({ ...preflight, origin: page }))
    expect(verdict._tag).toBe("Preflight")
    expect(verdict.headers["access-control-allow-methods"]).toBe("GET, POST, PUT, PATCH, DELETE")
    expect(verdict.headers["access-control-allow-headers"]).toBe(
      "authorization, content-type, last-event-id, mcp-session-id, mcp-protocol-version"
    )
    expect(verdict.headers["access-control-allow-private-network"]).toBeUndefined()
  })
  it("of another page, another host or no page is refused", () => {
    expect(codeOf({ ...preflight, origin: "http://evil.example" }, { allowedOrigins: [page] })).toBe("ORIGIN_REFUSED")
    expect(codeOf({ ...preflight, origin: page, hosts: ["evil.example:3210"] }, { allowedOrigins: [page] })).toBe(
      "HOST_REFUSED"
    )
    expect(codeOf({ ...preflight })).toBe("UNAUTHORIZED")
  })
  it("lets an allowed page reach a private network", () => {
    const verdict = checkAccess(
      { ...options, allowedOrigins: [page] },
      asked({ ...preflight, origin: page, privateNetwork: true })
    )
    expect(verdict.headers["access-control-allow-private-network"]).toBe("true")
  })
})

describe("starting", () => {
  it("without a token needs loopback", () => {
    expect(unsafeAccess({ token: "none" }, "127.0.0.1")).toBeUndefined()
    expect(unsafeAccess({ token: "none" }, "::1")).toBeUndefined()
    for (const host of ["0.0.0.0", "::", "192.168.1.5", "example.org"])
      expect(unsafeAccess({ token: "none" }, host)).toMatch(/loopback only/)
  })
  it("needs a token nobody guesses, and does not repeat it", () => {
    expect(unsafeAccess(options, "0.0.0.0")).toBeUndefined()
    for (const token of ["", "short", "has a space in it, long", "späße-späße-späße"]) {
      const problem = unsafeAccess({ token: Redacted.make(token) }, "127.0.0.1")
      expect(problem).toMatch(/at least 16/)
      if (token !== "") expect(problem).not.toContain(token)
    }
  })
  it("needs origins and hosts that can match", () => {
    for (const origin of [
      "*",
      "null",
      "localhost:3000",
      "http://localhost:3000/",
      "http://LOCALHOST",
      "http://a.example/x"
    ])
      expect(unsafeAccess({ ...options, allowedOrigins: [origin] }, "127.0.0.1"), origin).toMatch(/not an origin/)
    for (const host of ["*", "http://a.example", "a.example/x", "a b"])
      expect(unsafeAccess({ ...options, allowedHosts: [host] }, "127.0.0.1"), host).toMatch(/not a host/)
    expect(
      unsafeAccess({ ...options, allowedOrigins: [page], allowedHosts: ["a.example", "a.example:80"] }, "::")
    ).toBeUndefined()
  })
})

describe("loopback", () => {
  it("is 127.0.0.0/8, ::1 and localhost", () => {
    for (const name of ["127.0.0.1", "127.255.255.255", "::1", "localhost", "::ffff:127.0.0.1"])
      expect(isLoopback(name)).toBe(true)
    for (const name of ["128.0.0.1", "127.0.0", "127.0.0.1.x", "1127.0.0.1", "::", "::2", "", "localhost.example"])
      expect(isLoopback(name)).toBe(false)
  })
})
