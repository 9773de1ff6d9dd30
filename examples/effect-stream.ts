import { createReadStream } from "node:fs"
import { decodeStream } from "@agentwire/protocol/claude"
import { Effect, Stream } from "effect"

const results = Stream.fromAsyncIterable(
  createReadStream("examples/tool_approved.ndjson"),
  (cause) => new Error("cannot read", { cause })
).pipe(
  decodeStream(),
  Stream.filter((decoded) => decoded._tag === "Known" && decoded.name === "result/success"),
  Stream.runCollect
)

console.log((await Effect.runPromise(results)).length)
