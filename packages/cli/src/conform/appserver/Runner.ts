/**
 * Plays the scenarios to a server of Codex's app-server protocol and judges every message of it. A command is started
 * for each scenario, with a home and a scripted model of its own. What a server at a URL has for a model nobody knows
 * here, so only what needs none is played to it.
 */
import { Variables } from "@agentwire/fixtures"
import * as Conform from "@agentwire/protocol/conform"
import { Failure } from "../../Failure.ts"
import { Findings, findingOf } from "../live/Findings.ts"
import { isSelected, type LiveSelection } from "../live/Runner.ts"
import { redactor, WireLog } from "../live/WireLog.ts"
import type { ScenarioResult } from "../ScenarioResult.ts"
import { Astray, Client } from "./Client.ts"
import { playRules } from "./Rules.ts"
import { makeStage, type Stage, stageToken } from "./Stage.ts"
import type { AppServerScenario, Step } from "./Step.ts"
import { appServerScenarios } from "./scenarios/index.ts"
import type { AppServerTarget } from "./Target.ts"
import { type Launch, type Listening, openSocket, openStdio, startListening, type WireEvents } from "./Wire.ts"

/** How many are played at the same time. */
const concurrency = 2

/** Plays the scenarios. Throws a {@link Failure} when the server says nothing at all. */
export const runAppServer = async (
  target: AppServerTarget,
  selection: LiveSelection
): Promise<ReadonlyArray<ScenarioResult>> => {
  const wanted = appServerScenarios.filter(({ id }) => isSelected(id, selection))
  const results = new Map<AppServerScenario, ScenarioResult>()
  const queue = [...wanted]
  let spoke = false
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next && selection.signal?.aborted !== true; next = queue.shift()) {
      selection.onStart?.(next.id)
      const result = await play(next, target, selection)
      spoke ||= result.verdict === "skip" || result.wire.some(({ dir }) => dir === "received")
      results.set(next, result)
      selection.onResult?.(result)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  if (results.size > 0 && !spoke && selection.signal?.aborted !== true)
    throw new Failure("The server said nothing in any scenario. Is it an app-server?")
  return wanted.flatMap((scenario) => results.get(scenario) ?? [])
}

/** Why a scenario cannot be played to a target. */
const unable = ({ model, over }: AppServerScenario, target: AppServerTarget): string | undefined => {
  if (target._tag === "Command") return undefined
  if (model !== undefined) return "could not be determined: the model of a server at a URL cannot be scripted"
  return over === undefined ? undefined : "could not be determined: only for servers that are started here"
}

const play = async (
  scenario: AppServerScenario,
  target: AppServerTarget,
  { signal, timeoutMs }: LiveSelection
): Promise<ScenarioResult> => {
  const { id, title } = scenario
  const began = Date.now()
  const log = new WireLog(redactor(target._tag === "Url" ? target.token : undefined))
  const findings = new Findings()
  const finish = (skipped?: string): ScenarioResult => ({
    scenario: id,
    title,
    verdict: skipped === undefined ? Conform.verdictOf(findings.kept).verdict : "skip",
    ...(skipped !== undefined && { reason: skipped }),
    findings: skipped === undefined ? findings.kept : [],
    wire: log.entries,
    durationMs: Date.now() - began
  })
  const away = unable(scenario, target)
  if (away !== undefined) return finish(away)
  const time = AbortSignal.timeout(timeoutMs)
  const until = signal === undefined ? time : AbortSignal.any([signal, time])
  const stage = await makeStage(scenario.model ?? [])
  try {
    await new Performance({ scenario, target, stage, findings, log, until }).run()
  } finally {
    await stage.close()
  }
  return finish(signal?.aborted === true ? "stopped by the user" : undefined)
}

/** What a performance is of. */
interface Part {
  readonly scenario: AppServerScenario
  readonly target: AppServerTarget
  readonly stage: Stage
  readonly findings: Findings
  readonly log: WireLog
  readonly until: AbortSignal
}

/** One scenario being played. */
class Performance {
  readonly #part: Part
  readonly #variables = new Variables()
  readonly #clients = new Map<string, Client>()
  readonly #launch: Launch | undefined
  #listening: Listening | undefined

  constructor(part: Part) {
    this.#part = part
    const { stage, target } = part
    const { env, project } = stage
    if (target._tag === "Command") this.#launch = { program: target.program, args: target.args, cwd: project, env }
    this.#variables.set("project", project)
  }

  async run(): Promise<void> {
    let isWhole = false
    try {
      await this.#begin()
      for (const step of this.#part.scenario.steps) await this.#take(step)
      for (const client of this.#clients.values()) await client.settle()
      isWhole = true
    } catch (error) {
      if (!(error instanceof Astray)) throw error
      this.#part.findings.add(findingOf(playRules.goes, error.message))
    } finally {
      for (const name of [...this.#clients.keys()]) await this.#leave(name, isWhole)
      await this.#listening?.close()
    }
  }

  async #begin(): Promise<void> {
    if (this.#launch === undefined || this.#part.scenario.over === undefined) return
    const started = await startListening(this.#launch, stageToken)
    if ("url" in started) this.#listening = started
    else {
      this.#part.findings.add(findingOf(playRules.starts, started.failed))
      throw new Astray("The server does not listen.")
    }
  }

  async #take(step: Step): Promise<void> {
    const { client: name = "a" } = step
    if (step.do === "leave") return this.#leave(name, false)
    if (step.do === "file") {
      const there = await this.#part.stage.read(step.path)
      if (there !== step.content)
        throw new Astray(`${step.path} ${there === null ? "is not there" : `holds "${there}"`}.`)
      return
    }
    const client = this.#clients.get(name) ?? (await this.#join(name))
    await client.take(step)
  }

  async #join(name: string): Promise<Client> {
    const client = new Client({
      variables: this.#variables,
      log: this.#part.log,
      found: (all) => {
        for (const finding of all) this.#part.findings.add(finding)
      },
      until: this.#part.until
    })
    try {
      await client.connect((events) => this.#open(events))
    } catch (error) {
      this.#part.findings.add(findingOf(playRules.starts, String(error)))
      throw new Astray("The server takes no connection.")
    }
    this.#clients.set(name, client)
    return client
  }

  #open(events: WireEvents) {
    const { stage, target } = this.#part
    if (this.#listening !== undefined) return openSocket(this.#listening.url, stageToken, events)
    if (target._tag === "Url") return openSocket(target.url, target.token, events)
    const { env, project } = stage
    return openStdio({ program: target.program, args: target.args, cwd: project, env }, events)
  }

  async #leave(name: string, isWhole: boolean): Promise<void> {
    const client = this.#clients.get(name)
    if (client === undefined) return
    this.#clients.delete(name)
    const exit = await client.leave(isWhole)
    const isStdio = this.#launch !== undefined && this.#listening === undefined
    if (!isStdio || exit?.code === 0) return
    const how = exit === undefined ? "It does not end." : `It ended with ${exit.code ?? exit.signal}.`
    this.#part.findings.add(findingOf(playRules.ends, how, exit?.stderr))
  }
}
