/** `@agentwire/protocol/jsonrpc`: requests and answers of both sides over any connection of texts. */
import {
  type Channel,
  classify,
  errorCodes,
  isRequestId,
  lineChannel,
  makePeer,
  overloaded,
  Refusal,
  RequestFailed,
  requestCancelled,
  socketChannel
} from "@agentwire/protocol/jsonrpc"
import { Effect, Queue, Stream } from "effect"

// What a value is. The key `jsonrpc` may be missing, and 0 is an id.
console.log(classify({ id: 0, method: "ping" })._tag, classify({ id: 0, result: null })._tag) // Request Response
console.log(isRequestId(0), isRequestId(null)) // true false

// Two peers, each the other's other side: what one writes, the other reads.
const pair = Effect.gen(function* () {
  const [toServer, toClient] = [yield* Queue.unbounded<string>(), yield* Queue.unbounded<string>()]
  const client: Channel = { incoming: Stream.fromQueue(toClient), send: (text) => Queue.offer(toServer, text) }
  const server: Channel = { incoming: Stream.fromQueue(toServer), send: (text) => Queue.offer(toClient, text) }
  return { client, server }
})

const program = Effect.gen(function* () {
  const { client, server } = yield* pair
  yield* makePeer(server, {
    handle: ({ method, params }) =>
      method === "echo"
        ? Effect.succeed(params)
        : Effect.fail(new Refusal({ code: errorCodes.methodNotFound, message: `no ${method}` }))
  })
  const peer = yield* makePeer(client, { limit: "10 seconds" })
  console.log(yield* peer.request("echo", { a: 1 })) // { a: 1 }
  const failed = yield* Effect.flip(peer.request("sing"))
  console.log(failed instanceof RequestFailed, failed.reason, failed.code) // true REFUSED -32601
})
await Effect.runPromise(Effect.scoped(program))

// Codes of requests that were taken back, and that were one too many.
console.log(requestCancelled, overloaded) // -32800 -32001

// Over stdio a message is a line, over WebSocket a frame.
const stdio = lineChannel(Stream.make(new TextEncoder().encode('{"method":"hello"}\n')), () => Effect.void)
console.log((await Effect.runPromise(Stream.runCollect(stdio.incoming))).length) // 1
const sent: Array<string> = []
const socket = { send: (text: string) => void sent.push(text), addEventListener() {}, removeEventListener() {} }
await Effect.runPromise(socketChannel(socket).send("{}"))
console.log(sent) // [ '{}' ]
