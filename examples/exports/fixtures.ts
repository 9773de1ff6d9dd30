/**
 * `@agentwire/fixtures`: tapes of the real Claude Code CLI and of Codex, and what made them. `Block`, `Reply`, `Lane`
 * and the like are schemas of what a scripted model answers: `ModelScript` and `ResponsesScript` stand here for them.
 */
import { createReadStream, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  codexConfig,
  codexDemoScenarios,
  codexDemoTapes,
  codexScenarios,
  codexTapes,
  demoPromptUuid,
  demoScenarios,
  demoTapes,
  findTape,
  GzipFailed,
  gunzipped,
  installCli,
  installCodex,
  keptRollouts,
  keptSessions,
  listCodexTapes,
  listTapes,
  loadCodexTape,
  loadKeptRollout,
  loadKeptSession,
  loadTape,
  type ModelScript,
  makeCodexHome,
  missingFrom,
  oldTapes,
  outlineOf,
  parseResponsesFile,
  parseScenarioFile,
  playCodex,
  playScenario,
  type ResponsesScript,
  readRecording,
  readTape,
  readTapeFile,
  recordAll,
  recordings,
  scenarios,
  startMcpHttp,
  startModel,
  startResponses,
  TapeHash,
  tapes,
  Variables,
  wireLines,
  writeTapeFile
} from "@agentwire/fixtures"

// ── Tapes ──

// All of them, one by name, and those of the demo agent and of old versions.
const name = { scenario: "tool_approved", version: "2.1.325" }
const tape = loadTape(name)
console.log(tapes.length > 900, findTape(name)?.file.endsWith(".tape.gz"), listTapes().length === tapes.length) // true true true
console.log(demoTapes.length > 0, oldTapes.length > 0) // true true
console.log(codexDemoScenarios.length === codexDemoTapes.length) // true

// Their lines: of one tape, or of a whole version.
const lines = wireLines("tool_approved", tape)
console.log(lines[0]?.from, recordings.includes("2.1.325")) // host true
export const everyLine = () => readRecording("2.1.325")

// What the CLI itself kept of a session, with the tapes of the same run.
const [kept] = keptSessions.filter(({ scenario }) => scenario === "plain_text").map((entry) => loadKeptSession(entry))
console.log(
  kept?.files.every(({ path }) => path.endsWith(".jsonl")),
  kept?.tapes.length
) // true 1

// And the rollouts of Codex.
const [rollouts] = keptRollouts.filter(({ scenario }) => scenario === "compact").map((entry) => loadKeptRollout(entry))
console.log(rollouts?.files.every(({ path }) => path.startsWith("sessions/"))) // true

// What messages and keys there are in one that are not in another.
const outline = outlineOf(lines.map(({ line }) => line))
console.log(missingFrom(outline, outline)) // []

// Files: written and read, gzipped where the name says so. Other files can be unzipped as they are read.
const folder = mkdtempSync(join(tmpdir(), "agentwire-example-"))
writeTapeFile(join(folder, "mine.tape.gz"), tape)
console.log((await readTapeFile(join(folder, "mine.tape.gz"))).tape?.frames.length === tape.frames.length) // true
for await (const chunk of gunzipped(createReadStream(join(folder, "mine.tape.gz")))) console.log(chunk.length > 0) // true

// From bytes as they come, with what their last line should say of them. What is gzipped twice is not unzipped.
const text = new TextEncoder().encode("no tape\n")
console.log((await readTape([text])).tape, new TapeHash().ending(undefined, 0).cut) // undefined true
console.log(new GzipFailed("it is gzipped twice") instanceof Error) // true
rmSync(folder, { recursive: true })

// ── The scripted model ──

// A Messages API on loopback that answers what it is told to; `{{name}}` in the script is filled in.
const script: ModelScript = { replies: [{ kind: "message", blocks: [{ kind: "text", deltas: ["Hello {{who}}."] }] }] }
const variables = new Variables()
variables.set("who", "there")
const model = await startModel({ script, variables })
console.log(variables.expandText("Hello {{who}}."), model.url.startsWith("http://127.0.0.1:")) // Hello there. true
await model.close()

// The same from a file, with all that is wrong with it.
const { wrong } = await parseScenarioFile('{"model":{"replies":[]}}')
console.log(wrong) // []

// An MCP server with tools, on loopback, too.
const mcp = await startMcpHttp([{ name: "add", description: "Adds.", inputSchema: {}, result: { content: [] } }])
await mcp.close()

// ── Scenarios ──

console.log(scenarios.length > 200, demoScenarios.length > 0, demoPromptUuid.length) // true true 36

/** Plays scenarios with a real CLI, which is installed when it is missing: one, or all with tapes of each. */
export const record = async (version: string): Promise<void> => {
  const cli = await installCli(version)
  const [scenario] = scenarios
  if (scenario !== undefined) console.log((await playScenario({ cli, scenario, version })).problems)
  await recordAll({ cli, scenarios, version, onDone: ({ ms, scenario }) => console.log(scenario.name, ms) })
}

// ── Codex ──

// Its tapes: all of them, and one by name. Those of `codex exec --json` are another wire.
const hello = loadCodexTape({ scenario: "hello", version: "0.166.0" })
console.log(codexTapes.length > 300, listCodexTapes().length === codexTapes.length, hello.header.runtime.name) // true true codex
console.log(new Set(codexTapes.map(({ wire }) => wire)).size, codexScenarios.length > 100) // 2 true

// A Responses API on loopback, the lines of a config.toml that lead to it, and a home that has them.
const answers: ResponsesScript = { replies: [{ kind: "text", deltas: ["Hel", "lo."] }] }
const responses = await startResponses(answers.replies)
console.log(codexConfig(responses.url)[0]) // model = "gpt-5.5"
const home = await makeCodexHome(responses.url)
await home.remove()
await responses.close()

// The same from a file, with all that is wrong with it.
console.log((await parseResponsesFile('{"model":{"replies":[]}}')).wrong) // []

/** Plays a scenario with a real Codex, which is installed when it is missing. */
export const playOne = async (version: string): Promise<void> => {
  const [scenario] = codexScenarios
  if (scenario === undefined) return
  console.log((await playCodex({ cli: await installCodex(version), scenario, version })).problems)
}
