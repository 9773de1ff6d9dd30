/**
 * Plays the live scenarios to a server, one after another, and gives what each came to. Nothing of a scenario is left
 * open when the next begins.
 */
import * as Conform from "@agentwire/protocol/conform"
import { Failure } from "../../Failure.ts"
import type { ScenarioResult } from "../ScenarioResult.ts"
import { exchange } from "./Exchange.ts"
import { Findings } from "./Findings.ts"
import type { LiveScenario } from "./LiveScenario.ts"
import { allScenarios } from "./scenarios/index.ts"
import { GaveUp, Skipped, Talk } from "./Talk.ts"
import { type LiveTarget, parseUrl } from "./Target.ts"
import { redactor, WireLog } from "./WireLog.ts"

/** Which scenarios to play, and within which limits. */
export interface LiveSelection {
  /** Ids; all unless it is given. */
  readonly only?: ReadonlyArray<string>
  readonly skip?: ReadonlyArray<string>
  /** For each scenario. */
  readonly timeoutMs: number
  /** Told of each scenario before it is played, by its id. */
  readonly onStart?: (scenario: string) => void
  /** Told of each result as it comes. */
  readonly onResult?: (result: ScenarioResult) => void
  /** Ends everything early, in order. What has not been played is not in the results. */
  readonly signal?: AbortSignal
  /** Other prompts, by the id of the scenario, for a model that does not do what ours ask. */
  readonly prompts?: Readonly<Record<string, string>>
  /** The longest answer that is read. 64 MB unless it is given. */
  readonly maxAnswerBytes?: number
}

/** Is this scenario asked for? */
export const isSelected = (id: string, { only, skip }: Pick<LiveSelection, "only" | "skip">): boolean =>
  (only === undefined || only.includes(id)) && skip?.includes(id) !== true

/** How long to wait for a first connection. */
const reachMs = 10_000

/** Plays the scenarios. Throws a {@link Failure} when there is no server at all. */
export const runLive = async (target: LiveTarget, selection: LiveSelection): Promise<ReadonlyArray<ScenarioResult>> => {
  await reach(target, selection.signal)
  const results: Array<ScenarioResult> = []
  for (const scenario of allScenarios) {
    if (selection.signal?.aborted === true) break
    if (!isSelected(scenario.id, selection)) continue
    selection.onStart?.(scenario.id)
    const result = await playScenario(scenario, target, selection)
    results.push(result)
    selection.onResult?.(result)
  }
  return results
}

/** Any answer at all will do: what is wrong with it is for the scenarios to say. */
const reach = async (target: LiveTarget, signal: AbortSignal | undefined): Promise<void> => {
  const timeout = AbortSignal.timeout(reachMs)
  let answered = false
  const first = exchange({
    method: "OPTIONS",
    url: parseUrl(target.url),
    headers: {},
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    maxBytes: 65_536,
    onHead: () => {
      answered = true
      first.close()
    }
  })
  const ending = await first.done
  const { host } = parseUrl(target.url)
  if (
    ending._tag === "Broken" &&
    !answered &&
    /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/.test(ending.error)
  ) {
    throw new Failure(`There is no server at ${host}: ${ending.error}. Is it running?`)
  }
}

const playScenario = async (
  scenario: LiveScenario,
  target: LiveTarget,
  selection: LiveSelection
): Promise<ScenarioResult> => {
  const { id, prompt, title } = scenario
  const started = Date.now()
  const redact = redactor(target.token)
  const log = new WireLog(redact)
  const finish = ({ kept, leftOut }: Findings, skipped?: string): ScenarioResult => {
    const { verdict } = Conform.verdictOf(kept)
    const more = leftOut > 0 ? `${leftOut} more findings of the same rules are left out` : undefined
    const reason = [skipped, more].filter((text) => text !== undefined).join("; ")
    return {
      scenario: id,
      title,
      verdict: skipped !== undefined && verdict === "pass" ? "skip" : verdict,
      ...(reason !== "" && { reason: redact(reason) }),
      findings: kept.map((finding) => ({
        ...finding,
        message: redact(finding.message),
        excerpt: redact(finding.excerpt)
      })),
      wire: log.entries,
      durationMs: Date.now() - started
    }
  }
  const away =
    scenario.transports?.includes(target.transport) === false
      ? `not with the transport ${target.transport}`
      : scenario.unless?.(target)
  if (away !== undefined) return finish(new Findings(), away)

  const { maxAnswerBytes = 64 * 1024 * 1024, prompts, signal, timeoutMs } = selection
  const time = AbortSignal.timeout(timeoutMs)
  const limits = { timeoutMs, maxBytes: maxAnswerBytes }
  const until = signal === undefined ? time : AbortSignal.any([signal, time])
  const talk = new Talk(target, limits, prompts?.[id] ?? prompt, until, log)
  let skipped: string | undefined
  try {
    await scenario.play(talk)
  } catch (error) {
    if (error instanceof Skipped) skipped = error.message
    else if (!(error instanceof GaveUp)) throw error
  } finally {
    await talk.end()
  }
  // What the user cut short says nothing about the server.
  return signal?.aborted === true ? finish(new Findings(), "stopped by the user") : finish(talk.findings, skipped)
}
