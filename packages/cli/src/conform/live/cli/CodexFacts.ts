/**
 * What is known of versions of Codex and can be read off a session: the facts of `Codex.factTable`, and of methods
 * whether a version has them.
 */
import type { WireLine } from "@agentwire/fixtures"
import {
  type FactName,
  type Facts,
  lookupFact,
  lookupMethod,
  type MethodStage,
  messages
} from "@agentwire/protocol/codex"
import type { Item } from "../Reading.ts"
import { stringAt } from "../Reading.ts"
import type { Breach } from "./CliKind.ts"
import { member, type Said, sessionOf } from "./Session.ts"

type Session = ReadonlyArray<Said>

/** How a fact is seen: undefined when the session does not show it. */
type Observe<N extends FactName> = (session: Session) => Facts[N] | undefined

// --- reading sessions --------------------------------------------------------------------------

/** The params of what Codex says under a method. */
const said = (session: Session, method: string): ReadonlyArray<unknown> =>
  session.flatMap(({ from, message }) => (from === "cli" && message["method"] === method ? [message["params"]] : []))

/** Whether something that ought to have a key has it, in all places; undefined where there is no such thing. */
const allHave = (values: ReadonlyArray<unknown>, key: string): boolean | undefined =>
  values.length === 0 ? undefined : values.every((value) => member(value, key) !== undefined)

interface Exchange {
  readonly method: string
  readonly answer: Item
}

/** The requests of the client that were answered. Ids of both sides are in one number space. */
const exchanges = (session: Session): ReadonlyArray<Exchange> => {
  const asked = new Map<unknown, string>()
  return session.flatMap(({ from, message }): ReadonlyArray<Exchange> => {
    const { id, method } = message
    if (from === "host" && typeof method === "string" && id !== undefined) asked.set(id, method)
    const answers = from === "cli" && method === undefined ? asked.get(id) : undefined
    return answers === undefined ? [] : [{ method: answers, answer: message }]
  })
}

/** How each fact is seen. */
const observations: { readonly [N in FactName]: Observe<N> } = {
  itemTimes: (session) =>
    allHave(
      said(session, "item/completed").map((params) => member(params, "item")),
      "startedAtMs"
    ),
  rootTurnId: (session) =>
    allHave(
      said(session, "turn/started").map((params) => member(params, "turn")),
      "rootTurnId"
    ),
  readState: (session) => {
    const ended = said(session, "turn/completed").some(
      (params) => stringAt(member(params, "turn"), "status") === "completed"
    )
    return ended ? said(session, "thread/readState/changed").length > 0 : undefined
  },
  threadModel: (session) =>
    allHave(
      said(session, "thread/started").map((params) => member(params, "thread")),
      "model"
    ),
  unauthorizedStatus: (session) => {
    const infos = said(session, "turn/completed").flatMap((params) => {
      const error = member(member(params, "turn"), "error")
      return stringAt(error, "message")?.includes("401") === true ? [member(error, "codexErrorInfo")] : []
    })
    return infos.length === 0
      ? undefined
      : infos.some((info) => member(member(info, "httpConnectionFailed"), "httpStatusCode") === 401)
  },
  namespaceTools: (session) =>
    allHave(
      exchanges(session).flatMap(({ answer, method }) =>
        method === "modelProvider/capabilities/read" && "result" in answer ? [answer["result"]] : []
      ),
      "namespaceTools"
    ),
  steerCutsText: (session) => {
    const steer = session.findIndex(({ from, message }) => from === "host" && message["method"] === "turn/steer")
    const text = said(session.slice(0, Math.max(0, steer)), "item/agentMessage/delta").at(-1)
    if (steer === -1 || text === undefined || said(session, "turn/completed").length === 0) return undefined
    const id = stringAt(text, "itemId")
    return !said(session.slice(steer), "item/completed").some((params) => stringAt(member(params, "item"), "id") === id)
  },
  planToolByDefault: (session) => {
    const isAsked = session.some(({ from, line }) => from === "host" && line.includes('"turn/start"'))
    return isAsked ? said(session, "turn/plan/updated").length > 0 : undefined
  }
}

/** The scenarios that show a fact, where not all do that have what it is read off. */
const shownBy: Readonly<Partial<Record<FactName, ReadonlyArray<string>>>> = {
  readState: ["hello", "reasoning", "command_accept"],
  steerCutsText: ["steer_text"],
  planToolByDefault: ["update_plan_off"]
}

const factNames = Object.keys(observations) as ReadonlyArray<FactName>

const factBreaches = (scenario: string, version: string, session: Session): ReadonlyArray<Breach> =>
  factNames.flatMap((fact): ReadonlyArray<Breach> => {
    if (shownBy[fact]?.includes(scenario) === false) return []
    const seen = observations[fact](session)
    const { assumed, source, value } = lookupFact(fact, version)
    if (seen === undefined || seen === value) return []
    return [
      {
        rule: assumed ? "CLI-FACT-002" : "CLI-FACT-001",
        message: `${fact} is ${seen}, not ${value} (docs/wire/codex.md ${source}).`
      }
    ]
  })

/** What Codex says of its own accord, under methods that its version does not have. */
const wordBreaches = (version: string, session: Session): ReadonlyArray<Breach> => {
  const methods = new Set(
    session.flatMap(({ from, message }) => (from === "cli" ? (stringAt(message, "method") ?? []) : []))
  )
  return [...methods].flatMap((method): ReadonlyArray<Breach> => {
    const { assumed, value } = lookupMethod(method, version)
    // What no schema knows is told by another rule.
    if (value !== "absent" || !Object.hasOwn(messages, method)) return []
    return [
      {
        rule: assumed ? "CLI-FACT-002" : "CLI-FACT-001",
        message: `It says ${method}, which that version does not have.`
      }
    ]
  })
}

/** What an answer shows of its method; undefined where it may be either. */
const stageOf = ({ answer, method }: Exchange, isExperimental: boolean): MethodStage | "answered" | undefined => {
  const error = stringAt(answer["error"], "message") ?? ""
  if (error.includes(`unknown variant \`${method}\``)) return "absent"
  if (error.includes("requires experimentalApi capability")) return "experimental"
  if (!("result" in answer)) return undefined
  return isExperimental ? "answered" : "stable"
}

const stageWords: Readonly<Record<MethodStage | "answered", string>> = {
  absent: "is a method that it does not know",
  experimental: "is answered only where the client wants experimental methods",
  stable: "is answered to everybody",
  answered: "is answered"
}

/** Whether what an answer shows is what the table says of the method. */
const isAsKnown = (seen: MethodStage | "answered", known: MethodStage): boolean =>
  seen === "answered" ? known !== "absent" : seen === known

const answerBreaches = (version: string, session: Session): ReadonlyArray<Breach> => {
  const isExperimental = session.some(({ from, line }) => from === "host" && line.includes('"experimentalApi":true'))
  const found = new Map<string, Breach>()
  for (const exchange of exchanges(session)) {
    const { method } = exchange
    const seen = stageOf(exchange, isExperimental)
    const { assumed, value } = lookupMethod(method, version)
    if (seen === undefined || isAsKnown(seen, value)) continue
    found.set(method, {
      rule: assumed ? "CLI-ANSWER-002" : "CLI-ANSWER-001",
      message: `${method} ${stageWords[seen]}; on that version it ${stageWords[value]}.`
    })
  }
  return [...found.values()]
}

/** What a session has that its version is known to do otherwise. */
export const codexBreaches = (
  scenario: string,
  version: string,
  lines: ReadonlyArray<WireLine>
): ReadonlyArray<Breach> => {
  const session = sessionOf(lines)
  return [
    ...factBreaches(scenario, version, session),
    ...wordBreaches(version, session),
    ...answerBreaches(version, session)
  ]
}
