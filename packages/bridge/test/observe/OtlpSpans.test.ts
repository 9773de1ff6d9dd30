/** Spans on their way to a collector that a test plays. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { layerLog } from "../../src/observe/Log.ts"
import { layerOtlpSpans } from "../../src/observe/OtlpSpans.ts"

const Value = Schema.Union([
  Schema.Struct({ stringValue: Schema.String }),
  Schema.Record(Schema.String, Schema.Unknown)
])
const Attributes = Schema.Array(Schema.Struct({ key: Schema.String, value: Value }))
const Span = Schema.Struct({
  traceId: Schema.String.check(Schema.isPattern(/^[0-9a-f]{32}$/)),
  spanId: Schema.String.check(Schema.isPattern(/^[0-9a-f]{16}$/)),
  parentSpanId: Schema.optionalKey(Schema.String),
  name: Schema.String,
  startTimeUnixNano: Schema.String.check(Schema.isPattern(/^\d+$/)),
  endTimeUnixNano: Schema.String.check(Schema.isPattern(/^\d+$/)),
  attributes: Attributes
})
const Export = Schema.Struct({
  resourceSpans: Schema.Array(
    Schema.Struct({
      resource: Schema.Struct({ attributes: Attributes }),
      scopeSpans: Schema.Array(Schema.Struct({ spans: Schema.Array(Span) }))
    })
  )
})

interface Collector {
  readonly url: string
  readonly got: Array<{ readonly path: string | undefined; readonly type: string | undefined; readonly body: string }>
}

/** A collector on loopback that answers with a status. */
const collector = (status: number) =>
  Effect.acquireRelease(
    Effect.callback<Collector & { readonly close: () => void }>((resume) => {
      const got: Collector["got"] = []
      const server = createServer((request, response) => {
        let body = ""
        request.on("data", (chunk) => {
          body += chunk
        })
        request.on("end", () => {
          got.push({ path: request.url, type: request.headers["content-type"], body })
          response.writeHead(status, { "content-type": "application/json" }).end("{}")
        })
      })
      server.listen(0, "127.0.0.1", () => {
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
        const close = () => {
          server.close()
          server.closeAllConnections()
        }
        resume(Effect.succeed({ url, got, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

const work = Effect.void.pipe(Effect.withSpan("inner"), Effect.withSpan("outer", { attributes: { answer: "yes" } }))

const exporting = (url: string, lines: Array<string>) =>
  Effect.provide(
    work,
    Layer.provideMerge(
      layerOtlpSpans({ url, serviceVersion: "1.2.3" }),
      layerLog({ write: (line) => lines.push(line), json: true })
    )
  )

describe("spans", () => {
  it.live("reach a collector whole when the program ends, as OTLP in JSON", () =>
    Effect.gen(function* () {
      const { got, url } = yield* collector(200)
      const lines: Array<string> = []
      yield* exporting(`${url}/`, lines)
      expect(got).toHaveLength(1)
      expect(got[0]).toMatchObject({ path: "/v1/traces", type: "application/json" })
      const { resourceSpans } = Schema.decodeUnknownSync(Schema.fromJsonString(Export))(got[0]?.body)
      const [{ resource, scopeSpans } = expect.unreachable()] = resourceSpans
      expect(resource.attributes).toEqual(
        expect.arrayContaining([
          { key: "service.name", value: { stringValue: "agentwire" } },
          { key: "service.version", value: { stringValue: "1.2.3" } }
        ])
      )
      const spans = scopeSpans.flatMap((scope) => scope.spans)
      expect(spans.map(({ name }) => name)).toEqual(["inner", "outer"])
      expect(spans[0]?.parentSpanId).toBe(spans[1]?.spanId)
      expect(spans[1]?.attributes).toContainEqual({ key: "answer", value: { stringValue: "yes" } })
      expect(lines).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.live.each([
    ["is not there", 0],
    ["wants none", 404]
  ] as const)("for a collector that %s disturb nothing, and that is said once, without its path", ([, status]) =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const url = status === 0 ? "http://127.0.0.1:9" : (yield* collector(status)).url
      yield* exporting(`${url}/secret-path`, lines)
      expect(lines).toHaveLength(1)
      expect(JSON.parse(lines[0] ?? "")).toMatchObject({ event: "collector not reached", level: "warn" })
      expect(lines[0]).not.toContain("secret-path")
    }).pipe(Effect.scoped)
  )
})
