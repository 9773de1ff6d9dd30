import { createServer } from "node:http"
import { Bridge } from "@agentwire/bridge"

const bridge = new Bridge()
await bridge.open()
const agent = bridge.handler({ prefix: "/agent" })

const port = Number(process.env["PORT"] ?? 3000)
const server = createServer((request, response) => {
  if (request.url?.startsWith("/agent/")) agent(request, response)
  else response.end("The rest of the application.")
}).listen(port, "127.0.0.1", () => {
  console.log(`Connect to http://127.0.0.1:${port}/agent/ with the token ${bridge.token}`)
})

process.once("SIGINT", async () => {
  await bridge.stop()
  server.close()
})
