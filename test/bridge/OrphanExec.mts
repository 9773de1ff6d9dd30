/**
 * A bridge to be killed: lets `codex exec` run a command, and stays. The folder and the program come on the command line.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { ExecLauncher, execLauncher } from "../../packages/bridge/src/runtime/codexexec/ExecLauncher.ts"

const [cwd = "", codexPath = ""] = process.argv.slice(2)

const main = Effect.gen(function* () {
  const { launch } = yield* ExecLauncher
  const prompt = { text: "Go.", images: [] }
  const turn = yield* launch({ cwd, options: {}, hasPolicy: false, prompt, thread: undefined })
  yield* Stream.runDrain(turn.events)
})

await Effect.runPromise(Effect.scoped(main).pipe(Effect.provide(execLauncher({ codexPath }))))
