/** What `agentwire policy` does. */
import { resolve } from "node:path"
import { explainDecision, loadPolicy, type PolicyRules, type Verdict } from "@agentwire/bridge/policy"
import { isRecord } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { ExitCode, Input } from "../Command.ts"
import type { Console } from "../Console.ts"
import { Failure, UsageFailure } from "../Failure.ts"
import { explanationText } from "./ExplanationText.ts"
import { claudeSide, codexSide, isCodexTool } from "./Tools.ts"

type Action = (file: string, input: Input, console: Console) => Promise<ExitCode>

const exitCodes: Readonly<Record<Verdict, ExitCode>> = { allow: 0, ask: 1, deny: 1 }

/** Says whether the file is a policy, and if not, what is wrong and where. */
export const check: Action = async (file, { values }, console) => {
  const loaded = await Effect.runPromise(Effect.result(loadPolicy(file, claudeSide)))
  const isJson = values["json"] === true
  if (Result.isSuccess(loaded)) {
    const { base, modes } = loaded.success
    const about = { file, ok: true, rules: base.rules.length, modes: [...modes.keys()], problems: [] }
    const words = `${file} is fine: ${about.rules} rules, ${modes.size === 0 ? "no modes" : `modes ${about.modes.join(", ")}`}.`
    await console.out(isJson ? JSON.stringify(about) : words)
    return 0
  }
  const { code, message, problems } = loaded.failure
  if (code === "POLICY_UNREADABLE") throw new Failure(message, { cause: loaded.failure })
  const lines = [
    `${file} is not a policy that can be used:`,
    ...problems.map((each) => `  ${each.place}: ${each.message}`)
  ]
  await console.out(isJson ? JSON.stringify({ file, ok: false, problems }) : lines.join("\n"))
  return 1
}

/** Says what the policy decides about one tool call, and why. */
export const test: Action = async (file, input, console) => {
  const { cwd, mode } = input.values
  const call = callOf(input)
  const rules = await load(file, call.toolName, typeof mode === "string" ? mode : undefined)
  const use = {
    ...call,
    cwd: resolve(typeof cwd === "string" ? cwd : "."),
    mode: typeof mode === "string" ? mode : undefined
  }
  const explanation = await Effect.runPromise(explainDecision(rules, use))
  await console.out(
    input.values["json"] === true ? JSON.stringify({ ...explanation, use }) : explanationText(explanation)
  )
  return exitCodes[explanation.decision]
}

const load = async (file: string, toolName: string, mode: string | undefined): Promise<PolicyRules> => {
  const side = isCodexTool(toolName) ? codexSide : claudeSide
  const loaded = await Effect.runPromise(Effect.result(loadPolicy(file, side, mode)))
  if (Result.isSuccess(loaded)) return loaded.success
  const { code, message } = loaded.failure
  throw new Failure(code === "POLICY_UNREADABLE" ? message : `${file}: ${message}`, { cause: loaded.failure })
}

interface Call {
  readonly toolName: string
  readonly input: Readonly<Record<string, unknown>>
}

const callOf = ({ values }: Input): Call => {
  const { command, input, tool } = values
  if (typeof command === "string") {
    if (tool !== undefined || input !== undefined)
      throw new UsageFailure("Either --command, or --tool and --input, not both.")
    return { toolName: "Bash", input: { command } }
  }
  if (typeof tool !== "string") throw new UsageFailure("policy test needs --command TEXT, or --tool NAME --input JSON.")
  return { toolName: tool, input: objectOf(typeof input === "string" ? input : "{}") }
}

const objectOf = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const json: unknown = JSON.parse(text)
    if (isRecord(json)) return json
  } catch (error) {
    throw new UsageFailure(`--input is not JSON: ${error instanceof Error ? error.message : String(error)}.`)
  }
  throw new UsageFailure(`--input takes a JSON object, not ${text}.`)
}
