/** `agentwire drift` with the real CLI. */
import { expect, it } from "vitest"
import { run } from "../../packages/cli/test/run.ts"
import { cliOfTheSdk } from "./RealCli.ts"

it("finds nothing new in the version that the library has", async () => {
  const set = ["no_init", "tool_denied", "multi_turn_3", "api_400"]
  const { code, err, out } = await run(["drift", "--cli", cliOfTheSdk(), ...set])
  expect({ code, err, out }).toEqual({
    code: 0,
    err: "",
    out: expect.stringMatching(/, 4 scenarios: nothing new\n$/)
  })
})
