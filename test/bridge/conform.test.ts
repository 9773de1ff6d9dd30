/**
 * What `agentwire conform` finds in the bridge with the real CLI, over each transport: nothing.
 *
 * But for one remark of level info: where the agent calls a tool without a word, the call names a message that only
 * calls are in, which keeps the calls of one message together in clients.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { cliLauncher } from "../../packages/bridge/src/runtime/claude/CliLauncher.ts"
import { liveScenarios, runLive, type Transport } from "../../packages/cli/src/conform/live/index.ts"
import type { ScenarioResult } from "../../packages/cli/src/conform/ScenarioResult.ts"
import { sweeping } from "../../packages/fixtures/test/Sweep.ts"
import { setUp } from "./AgentSetup.ts"
import { prompts, startConformModel } from "./ConformModel.ts"
import { headers, listening } from "./OnBridge.ts"

/** Most of them start a CLI: all in a sweep, every day each fourth. */
const played = liveScenarios.map(({ id }) => id).filter((_, nth) => sweeping || nth % 4 === 0)

const token = headers.Authorization.replace("Bearer ", "")

const conform = (transport: Transport): Effect.Effect<ReadonlyArray<ScenarioResult>> =>
  Effect.gen(function* () {
    const { options, project } = yield* setUp("2.1.325", { replies: [] })
    writeFileSync(join(project, "notes.txt"), "A note.\n")
    const model = yield* Effect.acquireRelease(
      Effect.promise(() => startConformModel(project)),
      ({ close }) => Effect.promise(close)
    )
    const agents = cliLauncher({ ...options, env: { ...options.env, ANTHROPIC_BASE_URL: model.url } })
    return yield* listening(agents, { session: { cwd: project, approvals: "interrupt" } }, ({ url }) =>
      runLive(
        { url: transport === "agui" ? url : `${url}/kit`, agent: "default", token, transport },
        { timeoutMs: 20_000, prompts, only: played }
      )
    )
    // Refusals are what some scenarios are for.
  }).pipe(Effect.scoped, Effect.provide(Logger.layer([])))

/** What a result says, without the wire. */
const told = ({ findings, scenario }: ScenarioResult) =>
  findings
    .filter(({ rule }) => rule !== "AGUI-TOOL-CALL-008")
    .map(({ level, message, rule }) => `${scenario} ${rule} ${level}: ${message}`)

// The browser tests go by the other two every day.
const transports: ReadonlyArray<Transport> = sweeping ? ["agui", "copilotkit-rest", "copilotkit-single"] : ["agui"]

// Most of the time goes by in waiting for words.
describe.concurrent("agentwire conform", () => {
  it.live.each(transports)("has nothing to say over %s", (transport) =>
    Effect.gen(function* () {
      const results = yield* conform(transport)
      expect(results.map(({ scenario }) => scenario)).toEqual(played)
      expect(results.flatMap(told)).toEqual([])
      const skipped = results.filter(({ verdict }) => verdict === "skip")
      expect(skipped.map(({ reason }) => reason)).toEqual(skipped.map(() => `not with the transport ${transport}`))
    })
  )
})
