/** One extension from its start to its end: begun again when it is gone, with all that it listens to. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { healthUntil, hosting, moduleOf } from "./Hosting.ts"

const text = `
  const heard = []
  export default {
    id: "phoenix", name: "Phoenix", methods: ["phoenix.end", "phoenix.heard", "phoenix.token"], events: ["phoenix.told"],
    start: (context) => {
      console.log("started")
      context.on("phoenix.*", ({ payload }) => heard.push(payload))
      context.emit("phoenix.told", "begun")
    },
    handleMethod: (method) =>
      method === "phoenix.end" ? process.exit(0) : method === "phoenix.token" ? Object.keys(process.env) : heard
  }
`

describe("an extension's life", () => {
  it.live("goes on when it is gone, and listens again", () =>
    Effect.gen(function* () {
      const hosted = yield* hosting([{ module: yield* moduleOf(text), limits: { restartMs: 1 } }])
      const { extensions, lines } = hosted
      expect(yield* Effect.flip(extensions.call("phoenix.end", {}))).toMatchObject({ code: "EXTENSION_UNAVAILABLE" })
      yield* healthUntil(hosted, "phoenix", ({ counters, status }) => status === "running" && counters.restarts === 1)
      while (((yield* extensions.call("phoenix.heard", {})) as ReadonlyArray<string>).length === 0)
        yield* Effect.sleep("5 millis")
      expect(yield* extensions.call("phoenix.heard", {})).toEqual(["begun"])
      // What it writes to its standard output is in the log, and not in that of the bridge.
      while (lines.filter((line) => line.includes('extension=phoenix words="started')).length < 2)
        yield* Effect.sleep("5 millis")
    }).pipe(Effect.scoped)
  )

  it.live("is unavailable while it is begun again, and has no token of the bridge", () =>
    Effect.gen(function* () {
      process.env["AGENTWIRE_TOKEN"] = "a-token-of-the-bridge"
      yield* Effect.addFinalizer(() => Effect.sync(() => delete process.env["AGENTWIRE_TOKEN"]))
      const hosted = yield* hosting([{ module: yield* moduleOf(text), limits: { restartMs: 100_000 } }])
      expect(yield* hosted.extensions.call("phoenix.token", {})).not.toContain("AGENTWIRE_TOKEN")
      yield* Effect.flip(hosted.extensions.call("phoenix.end", {}))
      yield* healthUntil(hosted, "phoenix", ({ status }) => status === "restarting")
      expect(yield* Effect.flip(hosted.extensions.call("phoenix.heard", {}))).toMatchObject({
        code: "EXTENSION_UNAVAILABLE"
      })
    }).pipe(Effect.scoped)
  )
})
