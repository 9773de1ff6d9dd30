/**
 * Makes `docs/examples/conform-copilotkit-runtime.ndjson`, the report on a real CopilotKit runtime:
 *
 *   npx tsx --conditions=agentwire-source test/conform/live/example.ts
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFile } from "node:fs/promises"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { CannedServer } from "./CannedServer.ts"
import { CopilotRuntime } from "./CopilotRuntime.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const command = ["--conditions=agentwire-source", "--import", "tsx", "packages/cli/src/index.ts", "conform", "--json"]

const agent = new CannedServer()
const runtime = await CopilotRuntime.start(`${await agent.listen()}/agui`)
const child = spawn(process.execPath, [...command, `${runtime.url}/rest`, "--transport", "copilotkit-rest"], {
  cwd: root,
  stdio: ["ignore", "pipe", "inherit"]
})
const [report] = await Promise.all([text(child.stdout), once(child, "exit")])
await writeFile(fileURLToPath(new URL("docs/examples/conform-copilotkit-runtime.ndjson", `file://${root}`)), report)
await runtime.close()
await agent.close()
