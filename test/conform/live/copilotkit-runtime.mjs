/**
 * A real CopilotKit runtime in front of an agent at a URL: `node copilotkit-runtime.mjs FOLDER AGENT_URL`, where FOLDER
 * has it installed. Serves REST at `/rest` and the single endpoint at `/single`, and writes its port.
 */
import { createServer } from "node:http"
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

const [folder, agentUrl] = process.argv.slice(2)
const { resolve } = createRequire(join(folder, "package.json"))
const load = (name) => import(pathToFileURL(resolve(name)).href)

const { CopilotRuntime } = await load("@copilotkit/runtime/v2")
const { createCopilotNodeListener } = await load("@copilotkit/runtime/v2/node")
const { HttpAgent } = await load("@ag-ui/client")

const listener = (mode, basePath) =>
  createCopilotNodeListener({
    runtime: new CopilotRuntime({ agents: { default: new HttpAgent({ url: agentUrl }) } }),
    mode,
    basePath
  })

const rest = listener("multi-route", "/rest")
const single = listener("single-route", "/single")

const server = createServer((request, response) => (request.url.startsWith("/rest") ? rest : single)(request, response))
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`))
