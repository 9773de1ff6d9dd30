import { Bridge } from "@agentwire/bridge"
import { type HttpBindings, serve } from "@hono/node-server"
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response"
import { Hono } from "hono"

const bridge = new Bridge()
await bridge.open()
const agent = bridge.handler({ prefix: "/agent" })

const app = new Hono<{ Bindings: HttpBindings }>()
app.all("/agent/*", ({ env }) => {
  agent(env.incoming, env.outgoing)
  return RESPONSE_ALREADY_SENT
})

const port = Number(process.env["PORT"] ?? 3000)
const server = serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, () => {
  console.log(`Connect to http://127.0.0.1:${port}/agent/ with the token ${bridge.token}`)
})

process.once("SIGINT", async () => {
  await bridge.stop()
  server.close()
})
