/**
 * Sends spans to a collector of OpenTelemetry, as JSON over HTTP.
 *
 * A collector that cannot be reached disturbs nothing: its spans are dropped, and the log says so once.
 */
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as OtlpSerialization from "effect/observability/OtlpSerialization"
import * as OtlpTracer from "effect/observability/OtlpTracer"

/** Where spans go. */
export interface OtlpSpansOptions {
  /** The collector, such as `http://127.0.0.1:4318`. */
  readonly url: string
  /** Default `agentwire`. */
  readonly serviceName?: string
  readonly serviceVersion?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A tracer whose spans go to a collector. */
export const layerOtlpSpans = ({
  headers,
  serviceName = "agentwire",
  serviceVersion,
  url
}: OtlpSpansOptions): Layer.Layer<never> =>
  OtlpTracer.layer({
    url: `${url.replace(/\/+$/, "")}/v1/traces`,
    resource: { serviceName, serviceVersion },
    headers,
    exportInterval: "2 seconds",
    // Whoever stops the bridge waits for it.
    shutdownTimeout: "1 second"
  }).pipe(Layer.provide(OtlpSerialization.layerJson), Layer.provide(layerClient(new URL(url).host)))

/** A client that logs once when the collector does not accept spans, and again after it recovered. */
const layerClient = (collector: string): Layer.Layer<HttpClient.HttpClient> =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (client) => {
      let told = false
      const tell = (reason: string): Effect.Effect<void> =>
        Effect.suspend(() => {
          if (told) return Effect.void
          told = true
          return Effect.annotateLogs(Effect.logWarning("collector not reached"), { collector, reason })
        })
      return client.pipe(
        HttpClient.tap(({ status }) =>
          status < 400
            ? Effect.sync(() => {
                told = false
              })
            : tell(`status ${status}`)
        ),
        // Its own message has the whole address.
        HttpClient.tapError(() => tell("no connection"))
      )
    })
  ).pipe(Layer.provide(FetchHttpClient.layer))
