import { Bridge } from "@agentwire/bridge"
import fastify from "fastify"

const bridge = new Bridge()
await bridge.open()
const agent = bridge.handler({ prefix: "/agent" })

const app = fastify()
app.register(async (scope) => {
  // The bridge reads bodies itself.
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload))
  scope.all("/agent/*", (request, reply) => {
    reply.hijack()
    agent(request.raw, reply.raw)
  })
})

const port = Number(process.env["PORT"] ?? 3000)
await app.listen({ port, host: "127.0.0.1" })
console.log(`Connect to http://127.0.0.1:${port}/agent/ with the token ${bridge.token}`)

process.once("SIGINT", async () => {
  await bridge.stop()
  await app.close()
})
