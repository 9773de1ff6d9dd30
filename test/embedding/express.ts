import { Bridge } from "@agentwire/bridge"
import express from "express"

const bridge = new Bridge()
await bridge.open()

const app = express()
app.use("/agent", bridge.handler())
app.use(express.json())

const port = Number(process.env["PORT"] ?? 3000)
const server = app.listen(port, "127.0.0.1", () => {
  console.log(`Connect to http://127.0.0.1:${port}/agent/ with the token ${bridge.token}`)
})

process.once("SIGINT", async () => {
  await bridge.stop()
  server.close()
})
