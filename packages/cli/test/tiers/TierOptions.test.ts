/** What the commands of the two tiers take, and what they do not. */
import { describe, expect, it } from "vitest"
import { parse } from "../../src/Command.ts"
import { gateway } from "../../src/commands/gateway.ts"
import { runtime } from "../../src/commands/runtime.ts"
import { serve } from "../../src/commands/serve.ts"
import { gatewayOptions, placeOf, runtimeOptions } from "../../src/tiers/TierOptions.ts"

const env = { HOME: "/home/ann" }
const asRuntime = (...args: ReadonlyArray<string>) => runtimeOptions(parse(runtime, args), env)
const asGateway = (...args: ReadonlyArray<string>) => gatewayOptions(parse(gateway, args), env)

describe("the options of the two tiers", () => {
  it("are together those of serve, and those of the link", () => {
    const both = new Set([...Object.keys(runtime.options), ...Object.keys(gateway.options)])
    const own = ["link", "drain"]
    expect([...both].filter((name) => !own.includes(name)).sort()).toEqual(Object.keys(serve.options).sort())
    expect(Object.keys(runtime.options).filter((name) => ["port", "token", "page", "origin"].includes(name))).toEqual(
      []
    )
    expect(
      Object.keys(gateway.options).filter((name) => ["cli", "cwd", "policy", "durability"].includes(name))
    ).toEqual([])
  })

  it("meet where nothing is said", () => {
    expect(asRuntime().link).toEqual(asGateway().link)
    expect(asRuntime().link.folder).toBe("/home/ann/.local/share/agentwire/link")
    expect(asRuntime().gateway).toBe("agentwire gateway")
  })

  it("say how a gateway of another place is started", () => {
    const { gateway, link } = asRuntime("--data", "/srv/a", "--link", "tcp://127.0.0.1:3299")
    expect(gateway).toBe("agentwire gateway --data /srv/a --link tcp://127.0.0.1:3299")
    expect(placeOf({ values: { data: "/srv/a", link: "tcp://127.0.0.1:3299" } }, env)).toEqual(link)
  })

  it("have defaults of their own", () => {
    expect([asRuntime().drain, asRuntime("--drain", "0").drain]).toEqual([30, 0])
    expect([asRuntime().approvals, asGateway().approvals]).toEqual(["deny", "interrupt"])
    expect(asGateway("--approvals", "event").approvals).toBe("event")
  })

  it.each([
    [() => asRuntime("--link", "tcp://10.0.0.1:1"), /this machine/],
    [() => asRuntime("--link", ""), /--link is empty/],
    [() => asRuntime("--drain", "x"), /--drain/],
    [() => asRuntime("stray"), /runtime takes no "stray"/],
    [() => asGateway("--", "--verbose"), /gateway takes no "--verbose"/],
    [() => asGateway("--cwd", "/x"), /no option --cwd/]
  ])("refuse what does not fit: %#", (read, words) => {
    expect(read).toThrow(words)
  })
})
