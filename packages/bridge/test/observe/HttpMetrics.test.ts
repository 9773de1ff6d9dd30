/** The numbers of the HTTP face. */
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Redacted from "effect/Redacted"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { layerLog } from "../../src/observe/Log.ts"
import { renderMetrics } from "../../src/observe/Metrics.ts"
import { type Listening, serveHttp } from "../../src/server/HttpServer.ts"
import { fakeSessions } from "../FakeSessions.ts"
import { ask, entering, input, token } from "../Serving.ts"
import { parsePrometheus, total } from "./Prometheus.ts"

/** Uses a server, and gives its numbers, during and after, and its log. */
const counting = async (
  use: (server: Listening, now: () => Promise<ReturnType<typeof parsePrometheus>>) => Promise<void>
) => {
  const registry: Metric.MetricRegistry = new Map()
  const lines: Array<string> = []
  const fakes = fakeSessions((fake, { ticket }) => (ticket === "open" ? undefined : fake.finish()))
  const now = () =>
    Effect.runPromise(
      Effect.provideService(Effect.map(renderMetrics, parsePrometheus), Metric.MetricRegistry, registry)
    )
  await serveHttp({ port: 0, access: { token: Redacted.make(token) } }).pipe(
    Effect.flatMap((server) => Effect.promise(() => use(server, now))),
    Effect.scoped,
    Effect.provide(fakes.layer),
    Effect.provide(layerLog({ write: (line) => lines.push(line), json: true, level: "debug" })),
    Effect.provideService(Metric.MetricRegistry, registry),
    Effect.runPromise
  )
  return { samples: await now(), lines }
}

describe("requests", () => {
  it("are counted by route and status, refusals by code, and no name of a thread is a label", async () => {
    const { samples } = await counting(async (server) => {
      await ask(server, "POST", "/", entering, input("r"))
      await ask(server, "GET", "/info")
      await ask(server, "POST", "/agent/default/stop/my-own-thread", entering, "{}")
      await ask(server, "GET", "/no/such/thing")
      await ask(server, "GET", "/info", {})
      await ask(server, "DELETE", "/")
    })
    const of = (method: string, route: string, status: string) =>
      total(samples, "agentwire_http_requests_total", { method, route, status })
    expect(of("POST", "/", "200")).toBe(1)
    expect(of("GET", "/info", "200")).toBe(1)
    expect(total(samples, "agentwire_http_requests_total", { route: "/agent/:agentId/stop/:threadId" })).toBe(1)
    expect(of("GET", "none", "404")).toBe(1)
    expect(of("GET", "none", "401")).toBe(1)
    expect(of("DELETE", "none", "405")).toBe(1)
    expect(total(samples, "agentwire_http_requests_total")).toBe(6)
    for (const code of ["NOT_FOUND", "UNAUTHORIZED", "METHOD_NOT_ALLOWED"])
      expect(total(samples, "agentwire_http_refusals_total", { code })).toBe(1)
    expect(JSON.stringify(samples)).not.toContain("my-own-thread")
    expect(total(samples, "agentwire_http_streams")).toBe(0)
  })

  it("that stream are counted while they do", async () => {
    const { samples } = await counting(async ({ url }, now) => {
      const leave = new AbortController()
      const { body } = await fetch(url, {
        method: "POST",
        headers: entering,
        body: input("open"),
        signal: leave.signal
      })
      await body?.getReader().read()
      expect(total(await now(), "agentwire_http_streams")).toBe(1)
      leave.abort()
      await expect.poll(async () => total(await now(), "agentwire_http_streams")).toBe(0)
    })
    expect(total(samples, "agentwire_http_slow_readers_total")).toBe(0)
  })

  it("leave no token, prompt or path in the log, however they are sent", () =>
    fc.assert(
      fc.asyncProperty(fc.uuid(), async (marker) => {
        const { lines } = await counting(async (server) => {
          const bearer = { ...entering, authorization: `Bearer ${marker}` }
          await ask(server, "POST", `/${marker}?token=${marker}`, bearer, input("r"))
          await ask(server, "POST", `/${marker}`, { ...entering, "x-token": marker })
          await ask(server, "POST", "/", { ...entering, origin: `http://${marker}` }, "{}")
          await ask(server, "POST", "/", entering, `{"${marker}":`)
          await ask(server, "POST", "/", entering, input(marker, { messages: [{ id: 1, content: marker }] }))
        })
        expect(lines.length).toBeGreaterThan(3)
        expect(lines.join("\n")).not.toContain(marker)
        expect(lines.join("\n")).not.toContain(token)
      }),
      { numRuns: 10 }
    ))

  it("that are refused in a flood are counted, and logged in a few lines", async () => {
    const { lines, samples } = await counting(async (server) => {
      await Promise.all(Array.from({ length: 200 }, () => ask(server, "GET", "/", {})))
    })
    expect(total(samples, "agentwire_http_refusals_total", { code: "UNAUTHORIZED" })).toBe(200)
    // It may take some seconds, each of which has its lines; but far fewer than there are requests.
    expect(lines.length).toBeLessThan(120)
  })
})
