/** `@agentwire/bridge/gateway-client`: the gateway of a bridge elsewhere, over one WebSocket that connects again. */
import { GatewayError, type GatewayState, makeGatewayClient } from "@agentwire/bridge/gateway-client"
import { WebSocket } from "ws"

// It connects at once, and again whenever the connection breaks. Nobody is there in this example.
const states: Array<GatewayState> = []
const gateway = makeGatewayClient({
  url: "http://127.0.0.1:1",
  token: "sixteen-or-more-characters",
  WebSocket,
  onState: (state) => void states.push(state)
})

// What a call fails with.
try {
  await gateway.call("session.list", {}, { timeout: 20 })
} catch (error) {
  if (error instanceof GatewayError) console.log(error.code) // TIMEOUT
}
gateway.close()
console.log(states) // [ 'closed' ]

// Calls and events are typed by the schemas.
export const tell = async (url: string, token: string, words: string): Promise<void> => {
  const gateway = makeGatewayClient({ url, token, WebSocket })
  const over = new Promise<void>((resolve, reject) => {
    gateway
      .listen("session.*", ({ event, payload }) => {
        console.log(event, payload)
        if (event === "session.turn_stop") resolve()
      })
      .catch(reject)
  })
  await gateway.call("session.prompt", { content: words })
  await over
  gateway.close()
}
