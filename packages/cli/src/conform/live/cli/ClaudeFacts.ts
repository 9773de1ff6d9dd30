/**
 * What is known of versions of Claude Code and can be read off a session: what was seen in a scenario is compared with
 * what `Claude.versionTable` and the table of control requests say of the version.
 */
import type { WireLine } from "@agentwire/fixtures"
import * as Claude from "@agentwire/protocol/claude"
import { isRecord } from "@agentwire/protocol/wire"
import { type Item, stringAt } from "../Reading.ts"
import type { Breach } from "./CliKind.ts"
import { member, type Said, sessionOf } from "./Session.ts"

/** One fact and how to see it: undefined when the session does not show it. */
interface Observation<N extends Claude.FactName> {
  readonly fact: N
  /** The scenarios that show it. */
  readonly scenarios: ReadonlyArray<string>
  readonly observe: (session: ReadonlyArray<Said>) => Claude.Facts[N] | undefined
}

type AnyObservation = { readonly [N in Claude.FactName]: Observation<N> }[Claude.FactName]

const observation = <N extends Claude.FactName>(
  fact: N,
  scenarios: ReadonlyArray<string>,
  observe: Observation<N>["observe"]
): Observation<N> => ({ fact, scenarios, observe })

// Reading sessions

const ofType = (session: ReadonlyArray<Said>, type: string, subtype?: string): ReadonlyArray<Item> =>
  session
    .filter(({ from, message }) => from === "cli" && message["type"] === type)
    .map(({ message }) => message)
    .filter((message) => subtype === undefined || message["subtype"] === subtype)

const hasEnded = (session: ReadonlyArray<Said>): boolean => ofType(session, "result").length > 0

const contentOf = (message: Item): ReadonlyArray<Item> => {
  const content = member(message["message"], "content")
  return Array.isArray(content) ? content.filter(isRecord) : []
}

/** Some message of that kind came, in a session that came to its end. */
const comes =
  (type: string, subtype: string) =>
  (session: ReadonlyArray<Said>): boolean | undefined =>
    hasEnded(session) ? ofType(session, type, subtype).length > 0 : undefined

/** The last result has that key. */
const resultHas =
  (key: string) =>
  (session: ReadonlyArray<Said>): boolean | undefined => {
    const last = ofType(session, "result").at(-1)
    return last && Object.hasOwn(last, key)
  }

const asked = (session: ReadonlyArray<Said>, tool: string): Item | undefined => {
  const requests = ofType(session, "control_request").map(({ request }) => request)
  return requests.filter(isRecord).find((request) => request["tool_name"] === tool)
}

const events = (session: ReadonlyArray<Said>): ReadonlyArray<string> =>
  ofType(session, "stream_event").flatMap(({ event }) => stringAt(event, "type") ?? [])

const plain: ReadonlyArray<string> = ["plain_text", "no_init", "tool_approved", "tool_denied", "multi_turn_3"]

/** What is looked for. */
const observations: ReadonlyArray<AnyObservation> = [
  observation("resultStartsWithType", plain, (session) => {
    const results = session.filter(({ from, message }) => from === "cli" && message["type"] === "result")
    return results.length === 0 ? undefined : results.every(({ line }) => line.startsWith('{"type":'))
  }),
  observation("statusRequesting", plain, (session) =>
    hasEnded(session) ? ofType(session, "system", "status").some(({ status }) => status === "requesting") : undefined
  ),
  observation("terminalReason", plain, resultHas("terminal_reason")),
  observation("modelUsageSinceLastResult", plain, resultHas("model_usage_since_last_result")),
  observation("initCapabilities", plain, (session) => {
    const init = ofType(session, "system", "init")[0]
    return init && Object.hasOwn(init, "capabilities")
  }),
  observation("globAndGrep", plain, (session) => {
    const list = ofType(session, "system", "init")[0]?.["tools"]
    return Array.isArray(list) ? list.includes("Glob") && list.includes("Grep") : undefined
  }),
  observation("thinkingTokens", ["thinking_text"], comes("system", "thinking_tokens")),
  observation("apiRetry", ["api_529_retry", "api_500_retry"], comes("system", "api_retry")),
  observation("apiErrorStatus", ["api_400", "api_403"], resultHas("api_error_status")),
  observation("apiErrorTerminalReason", ["api_400", "api_403"], (session) => {
    const last = ofType(session, "result").at(-1)
    const reason = last === undefined ? undefined : (stringAt(last, "terminal_reason") ?? "absent")
    return reason === "absent" || reason === "completed" || reason === "api_error" ? reason : undefined
  }),
  observation("interruptClosesStream", ["interrupt_midstream"], (session) => {
    const turn = session.slice(
      0,
      session.findIndex(({ message }) => message["type"] === "result")
    )
    const [starts, stops] = ["message_start", "message_stop"].map((type) => events(turn).lastIndexOf(type))
    return starts === undefined || stops === undefined || starts < 0 ? undefined : stops > starts
  }),
  observation("errorResultIsError", ["interrupt_midstream"], (session) => {
    const interrupted = ofType(session, "result").find(({ subtype }) => subtype !== "success")?.["is_error"]
    return typeof interrupted === "boolean" ? interrupted : undefined
  }),
  observation("subagentTool", ["subagent_foreground"], (session) => {
    const names = ofType(session, "assistant")
      .filter((message) => message["parent_tool_use_id"] === null)
      .flatMap(contentOf)
      .map(({ name }) => name)
    return names.find((name): name is "Agent" | "Task" => name === "Agent" || name === "Task")
  }),
  observation("taskMessages", ["subagent_foreground"], comes("system", "task_started")),
  observation("requiresUserInteraction", ["ask_user_question"], (session) => {
    const request = asked(session, "AskUserQuestion")
    return request && request["requires_user_interaction"] === true
  }),
  observation("setModelAnswersModel", ["set_model"], (session) => {
    const answers = ofType(session, "control_response").map(({ response }) => member(response, "response"))
    return answers.length === 0 ? undefined : answers.some((answer) => stringAt(answer, "model") !== undefined)
  }),
  observation("setModelEcho", ["set_model"], (session) =>
    ofType(session, "control_response").length === 0
      ? undefined
      : ofType(session, "user").some(({ isReplay }) => isReplay === true)
  )
]

/** The facts that a session of a scenario contradicts. */
const factBreaches = (scenario: string, version: string, session: ReadonlyArray<Said>): ReadonlyArray<Breach> =>
  observations
    .filter(({ scenarios }) => scenarios.includes(scenario))
    .flatMap(({ fact, observe }): ReadonlyArray<Breach> => {
      const seen = JSON.stringify(observe(session))
      const { assumed, source, value } = Claude.lookup(fact, version)
      const expected = JSON.stringify(value)
      if (seen === undefined || seen === expected) return []
      return [
        { rule: assumed ? "CLI-FACT-002" : "CLI-FACT-001", message: `${fact} is ${seen}, not ${expected} (${source}).` }
      ]
    })

/**
 * The control requests of the host whose answers contradict the table. Those without an answer are left to the
 * scenario, which knows how long to wait.
 */
const answerBreaches = (version: string, session: ReadonlyArray<Said>): ReadonlyArray<Breach> => {
  const asked = new Map(
    session
      .filter(({ from, message }) => from === "host" && message["type"] === "control_request")
      .map(({ message }) => [message["request_id"], stringAt(message["request"], "subtype")])
  )
  const breaches = new Map<string, Breach>()
  for (const { response } of ofType(session, "control_response")) {
    const subtype = asked.get(member(response, "request_id"))
    if (subtype === undefined) continue
    const { assumed, value: expected } = Claude.lookupAnswer(subtype, version)
    const refused = /unsupported control request/i.test(stringAt(response, "error") ?? "")
    const seen = refused ? "unsupported" : "ok"
    if (expected === "unknown" || expected === seen) continue
    const rule = assumed ? "CLI-ANSWER-002" : "CLI-ANSWER-001"
    breaches.set(subtype, { rule, message: `${subtype} is answered as ${seen}, not ${expected}.` })
  }
  return [...breaches.values()]
}

/** What a session has that its version is known to do otherwise. */
export const claudeBreaches = (
  scenario: string,
  version: string,
  lines: ReadonlyArray<WireLine>
): ReadonlyArray<Breach> => {
  const session = sessionOf(lines)
  return [...factBreaches(scenario, version, session), ...answerBreaches(version, session)]
}
