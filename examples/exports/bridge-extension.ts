/** `@agentwire/bridge/extension`: code of yours beside the sessions of a bridge. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layerBridgeSessions } from "@agentwire/bridge"
import { layerClaudeRuntime } from "@agentwire/bridge/claude"
import {
  defaultExtensionLimits,
  type Extension,
  ExtensionFailed,
  ExtensionFile,
  ExtensionFileInvalid,
  ExtensionHealth,
  Extensions,
  extensionFolder,
  folderDocuments,
  layerExtensions,
  layerGatewayExtensions,
  loadExtensionFile,
  memoryDocuments
} from "@agentwire/bridge/extension"
import { GatewayExtensions } from "@agentwire/bridge/gateway"
import { replayLauncher } from "@agentwire/bridge/replay"
import { Effect, Layer, Schema } from "effect"

// An extension as an object of this program; as a module it would have a thread of its own.
const adder: Extension = {
  id: "adder",
  name: "Adder",
  methods: ["adder.add"],
  handleMethod: (_, { a, b }) => Number(a) + Number(b)
}

// Beside the sessions of a bridge. What extensions keep ends with it here.
const agents = layerClaudeRuntime.pipe(Layer.provide(replayLauncher({ tapes: [] })))
const sessions = layerBridgeSessions({ session: { cwd: process.cwd() } }).pipe(Layer.provide(agents))
const hosted = layerExtensions({
  extensions: [{ extension: adder, limits: { methodMs: defaultExtensionLimits.methodMs / 2 } }],
  documents: memoryDocuments()
}).pipe(Layer.provide(sessions))
const called = Effect.gen(function* () {
  const { call, health } = yield* Extensions
  const failure = yield* Effect.flip(call("adder.subtract", {}))
  const isKnown = failure instanceof ExtensionFailed && (yield* health).every(Schema.is(ExtensionHealth))
  return [yield* call("adder.add", { a: 1, b: 2 }), isKnown, failure.code]
})
console.log(await Effect.runPromise(Effect.provide(called, hosted))) // [ 3, true, 'EXTENSION_METHOD_UNKNOWN' ]

// The same over the WebSocket of the gateway.
const joined = Effect.map(GatewayExtensions, ({ methods }) => [...methods()])
const gateway = layerGatewayExtensions.pipe(Layer.provide(hosted))
console.log(await Effect.runPromise(Effect.provide(joined, gateway))) // [ 'adder.add' ]

// The file that `agentwire serve --extensions` reads.
const folder = await mkdtemp(join(tmpdir(), "agentwire-example-"))
const file = join(folder, "extensions.json")
const written: typeof ExtensionFile.Type = { extensions: [{ module: "./none.mjs" }] }
await writeFile(file, JSON.stringify(Schema.encodeSync(ExtensionFile)(written)))
const invalid = await Effect.runPromise(Effect.flip(loadExtensionFile(file)))
console.log(invalid instanceof ExtensionFileInvalid, invalid.code) // true EXTENSION_MODULE_MISSING

// What outlives a bridge, in the folder of its data.
const documents = folderDocuments(extensionFolder(folder))
await Effect.runPromise(documents.put("adder", "sum", 3))
console.log(await Effect.runPromise(documents.list("adder"))) // [ { key: 'sum', value: 3 } ]
await rm(folder, { recursive: true })
