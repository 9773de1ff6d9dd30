import { Bridge } from "@agentwire/bridge"

const bridge = new Bridge({ port: Number(process.env["PORT"] ?? 3210), allowedOrigins: ["http://localhost:3000"] })
const { token, url } = await bridge.start()
console.log(`Connect to ${url} with the token ${token}`)

process.once("SIGINT", () => bridge.stop())
