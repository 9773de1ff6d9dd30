/**
 * Whether the calls and results of a session are shown: each once, with its arguments and content, attributed to the right speaker.
 */

import * as Equal from "effect/Equal"
import { isRecord } from "../../wire/Json.ts"
import { parseJson } from "../../wire/ReadJson.ts"
import { type Finding, findingAt, findingOfStream, quote } from "../Finding.ts"
import { fidelityRules } from "../rules/Fidelity.ts"
import type { Rendering, ShownCall, ShownResult } from "./Rendering.ts"
import type { Session, SessionCall, SessionResult } from "./Session.ts"

/** Compares calls and results. Ids and, for tools of MCP servers, names are the bridge's to choose. */
export const compareCalls = (
  session: Session,
  rendering: Rendering,
  frontendTools: ReadonlyArray<string>
): ReadonlyArray<Finding> => {
  const matched = matchCalls(session.calls, rendering.calls)
  return [
    ...compareEach(session, rendering, matched),
    ...compareOwners(session, matched),
    ...compareResults(session, rendering, matched, new Set(frontendTools))
  ]
}

type Matched = ReadonlyMap<string, ShownCall>

/** The last part of a name as MCP tools have it: `mcp__server__tool`. */
const plainName = (name: string): string => (name.startsWith("mcp__") ? (name.split("__").at(-1) ?? name) : name)

/** Which call is shown as which: by id, else by name and order. */
const matchCalls = (calls: ReadonlyArray<SessionCall>, shown: ReadonlyArray<ShownCall>): Matched => {
  const matched = new Map<string, ShownCall>()
  const left = new Map(shown.map((call) => [call.id, call]))
  const take = (call: SessionCall, found: ShownCall | undefined): void => {
    if (found === undefined) return
    matched.set(call.id, found)
    left.delete(found.id)
  }
  for (const call of calls) take(call, left.get(call.id))
  for (const call of calls) {
    if (matched.has(call.id)) continue
    const candidates = [...left.values()].filter(({ name }) => plainName(name) === plainName(call.name))
    take(call, candidates.find(({ args }) => sameArguments(call, args)) ?? candidates[0])
  }
  return matched
}

const compareEach = ({ calls }: Session, rendering: Rendering, matched: Matched): ReadonlyArray<Finding> => {
  const findings: Array<Finding> = []
  for (const call of calls) {
    const shown = matched.get(call.id)
    if (shown === undefined) {
      if (!call.optional) findings.push(missing("call", call, rendering.events))
    } else if (!sameArguments(call, shown.args))
      findings.push(
        findingAt(
          fidelityRules["AGUI-FIDELITY-006"],
          shown.index,
          `Call ${quote(shown.id)} of ${quote(call.name)} (line ${call.line}) has arguments ${quote(shown.args)}, the session had ${quote(call.streamed ?? call.input)}.`,
          shown.event
        )
      )
  }
  const known = new Set([...matched.values()].map(({ id }) => id))
  for (const shown of rendering.calls) {
    if (known.has(shown.id) || shown.args === "") continue
    const original = calls.find(
      (call) => plainName(call.name) === plainName(shown.name) && sameArguments(call, shown.args)
    )
    if (original !== undefined)
      findings.push(
        findingAt(
          fidelityRules["AGUI-FIDELITY-005"],
          shown.index,
          `Call ${quote(shown.id)} shows the call of ${quote(original.name)} (line ${original.line}) again.`,
          shown.event
        )
      )
  }
  return findings
}

const missing = (what: string, { id, line, name, parent }: SessionCall, events: number): Finding =>
  findingOfStream(
    fidelityRules[parent === undefined ? "AGUI-FIDELITY-005" : "AGUI-FIDELITY-011"],
    `The ${what} ${quote(id)} of ${quote(name)} (line ${line})${parent === undefined ? "" : " by a sub-agent"} is missing.`,
    events
  )

/** The CLI completes some inputs and replaces what does not parse by `{}`: both wordings are true (§7.49). */
const sameArguments = ({ input, streamed }: SessionCall, args: string): boolean => {
  if (args === (streamed ?? "")) return true
  // A call that was cut: what is shown is what was there so far, or what a bridge closed it to.
  if (input === undefined) return streamed === undefined || streamed.startsWith(args) || args.startsWith(streamed)
  const shown = parseJson(args === "" ? "{}" : args)
  if (shown === undefined) return false
  if (Equal.equals(shown, input)) return true
  const said = streamed === undefined ? undefined : parseJson(streamed === "" ? "{}" : streamed)
  return said !== undefined && Equal.equals(shown, said)
}

const compareOwners = ({ calls }: Session, matched: Matched): ReadonlyArray<Finding> => {
  const findings: Array<Finding> = []
  const rule = fidelityRules["AGUI-FIDELITY-012"]
  const parents = new Map<string, string>()
  for (const { id, name, parent } of calls) {
    const shown = matched.get(id)
    if (shown === undefined) continue
    const { index, owner } = shown
    if (parent === undefined) {
      if (owner !== undefined)
        findings.push(
          findingAt(
            rule,
            index,
            `The agent's own call ${quote(id)} of ${quote(name)} is attributed to ${quote(owner)}.`,
            shown.event
          )
        )
    } else if (owner === undefined)
      findings.push(
        findingAt(
          rule,
          index,
          `Call ${quote(id)} of ${quote(name)} by a sub-agent is not attributed to one.`,
          shown.event
        )
      )
    else {
      const other = parents.get(owner)
      if (other !== undefined && other !== parent)
        findings.push(
          findingAt(
            rule,
            index,
            `Subagent ${quote(owner)} stands for two sub-agents, of ${quote(other)} and ${quote(parent)}.`,
            shown.event
          )
        )
      parents.set(owner, parent)
    }
  }
  return findings
}

const compareResults = (
  session: Session,
  rendering: Rendering,
  matched: Matched,
  frontendTools: ReadonlySet<string>
): ReadonlyArray<Finding> => {
  const findings: Array<Finding> = []
  const calls = new Map(session.calls.map((call) => [call.id, call]))
  const byCall = new Map<string, Array<SessionResult>>()
  for (const result of session.results) byCall.set(result.id, [...(byCall.get(result.id) ?? []), result])
  for (const [id, results] of byCall) {
    const call = calls.get(id)
    const shownCall = matched.get(id)
    // A call of an earlier session has no counterpart here; one that is missing is reported as such.
    if (call === undefined || shownCall === undefined) continue
    if (call.optional || frontendTools.has(call.name) || frontendTools.has(plainName(call.name))) continue
    const shown = rendering.results.filter(({ callId }) => callId === shownCall.id)
    if (shown.length === 0) {
      findings.push(
        call.parent === undefined
          ? findingOfStream(
              fidelityRules["AGUI-FIDELITY-007"],
              `The result of call ${quote(id)} of ${quote(call.name)} (line ${results[0]?.line}) is missing.`,
              rendering.events
            )
          : missing("result of call", call, rendering.events)
      )
      continue
    }
    const extra = shown[results.length]
    if (extra !== undefined)
      findings.push(
        findingAt(
          fidelityRules["AGUI-FIDELITY-008"],
          extra.index,
          `Call ${quote(id)} of ${quote(call.name)} has ${shown.length} results, the session had ${results.length}.`,
          extra.event
        )
      )
    for (const result of shown.slice(0, results.length))
      for (const finding of compareResult(call, results, result)) findings.push(finding)
  }
  return findings
}

const compareResult = (
  { id, name }: SessionCall,
  results: ReadonlyArray<SessionResult>,
  shown: ShownResult
): ReadonlyArray<Finding> => {
  const text = flatten(shown.content)
  const original = results.find(({ texts }) => texts.every((piece) => contains(text, piece)))
  if (original === undefined)
    return [
      findingAt(
        fidelityRules["AGUI-FIDELITY-009"],
        shown.index,
        `The result of call ${quote(id)} of ${quote(name)} is ${quote(text)}, the session had ${quote(results[0]?.texts.join("\n") ?? "")}.`,
        shown.event
      )
    ]
  if (original.isError && !saysError(text, shown.event))
    return [
      findingAt(
        fidelityRules["AGUI-FIDELITY-010"],
        shown.index,
        `Call ${quote(id)} of ${quote(name)} failed, and its result does not say so.`,
        shown.event
      )
    ]
  if (!original.isError && flagsError(shown.event))
    return [
      findingAt(
        fidelityRules["AGUI-FIDELITY-010"],
        shown.index,
        `Call ${quote(id)} of ${quote(name)} did not fail, and its result says it did.`,
        shown.event
      )
    ]
  return []
}

const flatten = (content: unknown): string => {
  if (typeof content === "string") return content
  if (!Array.isArray(content)) return ""
  return content.map((part) => (isRecord(part) && typeof part["text"] === "string" ? part["text"] : "")).join("\n")
}

/** A bridge may give the text as it is, or inside JSON. */
const contains = (text: string, piece: string): boolean => {
  const wanted = piece.trim()
  return text.includes(wanted) || text.includes(JSON.stringify(wanted).slice(1, -1))
}

const errorWords =
  /error|fail|den(y|ied)|reject|refus|doesn't want|interrupt|abort|cancel|not found|no such|invalid|unable|cannot|can't|exit code/i

const saysError = (text: string, event: Readonly<Record<string, unknown>>): boolean =>
  flagsError(event) || errorWords.test(text)

/** Whether a field outside the content says that the call failed. */
const flagsError = (event: Readonly<Record<string, unknown>>): boolean =>
  [event, event["metadata"]].some((fields) => isRecord(fields) && hasErrorField(fields, 0))

const hasErrorField = (fields: Readonly<Record<string, unknown>>, depth: number): boolean =>
  Object.entries(fields).some(([key, value]) => {
    if (/^(is_?)?error$/i.test(key)) return value !== false && value !== null && value !== undefined && value !== ""
    return depth < 2 && key !== "content" && key !== "rawEvent" && isRecord(value) && hasErrorField(value, depth + 1)
  })
