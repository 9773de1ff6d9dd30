/**
 * A bridge to be killed: launches the real CLI, lets it run a Bash command, tells the CLI's process on stdout, and
 * stays. Its options come as JSON on the command line.
 */

import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { AgentLauncher } from "../../packages/bridge/src/runtime/claude/Agent.ts"
import { type CliLauncherOptions, cliLauncher } from "../../packages/bridge/src/runtime/claude/CliLauncher.ts"
import { answerTo, prompt, requestIn } from "./AgentTalk.ts"

const [options, project] = JSON.parse(process.argv[2] ?? "[]") as [CliLauncherOptions, string]

const main = Effect.gen(function* () {
  const { launch } = yield* AgentLauncher
  const agent = yield* launch(requestIn(project))
  yield* agent.send(prompt("go"))
  for (;;) {
    const decoded = yield* Queue.take(agent.messages)
    const answer = answerTo(decoded)
    if (answer !== undefined) yield* agent.send(answer)
  }
})

await Effect.runPromise(Effect.scoped(main).pipe(Effect.provide(cliLauncher(options))))
