/** `agentwire policy`: checks a policy file, and says what it says about a tool call and why. */

import { resolve } from "node:path"
import { claudeToolInputs } from "@agentwire/bridge/claude"
import { explainDecision, loadPolicy, type PolicyRules, type Verdict } from "@agentwire/bridge/policy"
import { isRecord } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Command, ExitCode, Input } from "../Command.ts"
import type { Console } from "../Console.ts"
import { Failure, UsageFailure } from "../Failure.ts"
import { didYouMean } from "../Nearest.ts"
import { explanationText } from "../policy/ExplanationText.ts"

type Action = (file: string, input: Input, console: Console) => Promise<ExitCode>

const verbs = ["check", "test"] as const

const exitCodes: Readonly<Record<Verdict, ExitCode>> = { allow: 0, ask: 1, deny: 1 }

/** The command. */
export const policy: Command = {
  name: "policy",
  summary: "check a policy file, and explain what it says about a tool call",
  usage: `check FILE [--json]
       agentwire policy test FILE --command TEXT [--mode M] [--cwd DIR] [--json]
       agentwire policy test FILE --tool NAME --input JSON [--mode M] [--cwd DIR] [--json]`,
  details: `check  whether the file is a policy, and if not, what is wrong and where
test   whether the policy allows, denies or asks about one tool call, the rules that fit,
       and for Bash every command that was found in the text

--command TEXT is short for --tool Bash --input '{"command": TEXT}'. Nothing is run.

With --json, one object. For check: {"file","ok","problems":[{"place","message"}]}, and when
it is fine "rules", their number, and "modes". For test: {"decision","reason","parts",
"doubts","fallback","use"}.

Exit code of check: 0 when the file is fine, 1 when something is wrong in it. Of test: 0
when the call is allowed, 1 when it is denied or asked about. Of both: 2 when they could
not do it.`,
  options: {
    tool: { type: "string", value: "NAME", summary: "test: the tool, such as Write" },
    input: { type: "string", value: "JSON", summary: "test: the tool's input" },
    command: { type: "string", value: "TEXT", summary: "test: a shell text for Bash" },
    mode: { type: "string", value: "M", summary: "test: the mode of the session" },
    cwd: { type: "string", value: "DIR", summary: "test: the folder the agent works in (default: here)" },
    json: { type: "boolean", summary: "write JSON" }
  },
  choices: verbs,
  run: async (input, console) => {
    const [name = "", file, ...more] = input.positionals
    const verb = verbs.find((known) => known === name)
    if (verb === undefined)
      throw new UsageFailure(
        name === ""
          ? `policy needs ${verbs.join(" or ")}.`
          : `policy cannot ${name}. Use ${verbs.join(" or ")}.${didYouMean(name, verbs)}`
      )
    if (file === undefined || more.length > 0) throw new UsageFailure(`policy ${name} takes one FILE.`)
    return actions[verb](file, input, console)
  }
}

const check: Action = async (file, { values }, console) => {
  const loaded = await Effect.runPromise(Effect.result(loadPolicy(file, claudeToolInputs)))
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

const test: Action = async (file, input, console) => {
  const { cwd, mode } = input.values
  const call = callOf(input)
  const rules = await load(file, typeof mode === "string" ? mode : undefined)
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

const actions: Readonly<Record<(typeof verbs)[number], Action>> = { check, test }

const load = async (file: string, mode: string | undefined): Promise<PolicyRules> => {
  const loaded = await Effect.runPromise(Effect.result(loadPolicy(file, claudeToolInputs, mode)))
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
