/** `agentwire history list`: the sessions that Claude Code and Codex kept. */
import { resolve } from "node:path"
import { listSessions } from "@agentwire/bridge/claude"
import { listRollouts } from "@agentwire/bridge/codex"
import type { ExitCode, Input } from "../../Command.ts"
import type { Console } from "../../Console.ts"
import { Failure } from "../../Failure.ts"
import { wholeNumber } from "../../OptionValue.ts"
import { escapeControls, type Paint } from "../../Paint.ts"
import { attempt, findKept, folderOf, isoOf, type Keeper, keepersOf, type SessionFacts } from "./Session.ts"

/** A session of a list. */
interface Listed {
  readonly runtime: Keeper
  readonly sessionId: string
  readonly facts: SessionFacts
  readonly modifiedAt: number
  readonly bytes: number
  readonly file: string
}

/** Lists the sessions, the newest first. */
export const list = async (input: Input, console: Console): Promise<ExitCode> => {
  const { before, cwd, json } = input.values
  const keepers = keepersOf(input)
  const limit = wholeNumber("limit", input.values["limit"], 1) ?? 50
  // It may be the beginning of an id, as everywhere.
  const last = typeof before === "string" ? await findKept(before, input) : undefined
  const asked: Asked = { limit, last, ...(typeof cwd === "string" && { cwd: resolve(cwd) }) }
  const pages = await pagesOf(keepers, asked, input)
  const all = pages.flatMap(({ sessions }) => sessions).sort((a, b) => b.modifiedAt - a.modifiedAt)
  const sessions = all.slice(0, limit)
  const more = all.length > limit || pages.some((page) => page.more)
  if (json === true) {
    for (const session of sessions) await console.out(JSON.stringify(aboutOf(session)))
    await console.out(JSON.stringify({ more }))
    return 0
  }
  for (const session of sessions) await console.out(rowOf(session, console.paint))
  if (sessions.length === 0) {
    const folders = keepers.map((keeper) => folderOf(keeper, input)).join(" and ")
    await console.out(`No sessions${typeof cwd === "string" ? ` of ${cwd}` : ""} in ${folders}`)
  }
  const oldest = sessions.at(-1)
  if (more && oldest !== undefined)
    await console.out(console.paint.quiet(`older ones: agentwire history list --before ${oldest.sessionId}`))
  return 0
}

interface Asked {
  readonly limit: number
  readonly last: Awaited<ReturnType<typeof findKept>> | undefined
  readonly cwd?: string
}

interface Page {
  readonly sessions: ReadonlyArray<Listed>
  readonly more: boolean
}

/** A page of each agent. That one of them was never used is no failure, as long as the other was. */
const pagesOf = async (keepers: ReadonlyArray<Keeper>, asked: Asked, input: Input): Promise<ReadonlyArray<Page>> => {
  const settled = await Promise.allSettled(keepers.map((keeper) => pageOf(keeper, asked, input)))
  const failed = settled.flatMap((each) => (each.status === "rejected" ? [each.reason] : []))
  if (failed.length === settled.length || failed.some((reason) => !(reason instanceof Failure))) throw failed[0]
  return settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []))
}

const pageOf = async (keeper: Keeper, { cwd, last, limit }: Asked, input: Input): Promise<Page> => {
  const query = { limit, ...(cwd !== undefined && { cwd }) }
  const olderThan = last === undefined ? {} : { olderThan: last.modifiedAt }
  if (keeper === "codex") {
    const rollouts = folderOf(keeper, input)
    const { more, threads } = await attempt(listRollouts({ rollouts, ...query, ...olderThan }), input)
    const sessions = threads.map(({ threadId, ...thread }): Listed => {
      const titleBy = thread.facts.title === undefined ? undefined : ("prompt" as const)
      return { ...thread, runtime: keeper, sessionId: threadId, facts: { ...thread.facts, titleBy } }
    })
    return { sessions, more }
  }
  const isOwn = last?.keeper === keeper
  const { more, sessions } = await attempt(
    listSessions({
      projects: folderOf(keeper, input),
      ...query,
      ...(isOwn ? { before: last.place.sessionId } : olderThan)
    }),
    input
  )
  return { sessions: sessions.map((session) => ({ ...session, runtime: keeper })), more }
}

const aboutOf = ({ bytes, facts, file, modifiedAt, runtime, sessionId }: Listed) => ({
  runtime,
  sessionId,
  title: facts.title ?? null,
  titleBy: facts.titleBy ?? null,
  cwd: facts.cwd ?? null,
  gitBranch: facts.gitBranch ?? null,
  model: facts.model ?? null,
  version: facts.version ?? null,
  createdAt: isoOf(facts.createdAt),
  activeAt: isoOf(facts.activeAt),
  modifiedAt: isoOf(modifiedAt),
  bytes,
  file
})

const titleLength = 60

const rowOf = ({ facts, modifiedAt, runtime, sessionId }: Listed, paint: Paint): string => {
  const time = (isoOf(facts.activeAt ?? modifiedAt) ?? "").slice(0, 16).replace("T", " ")
  const whole = Array.from(escapeControls(facts.title ?? ""))
  const title = whole.length > titleLength ? `${whole.slice(0, titleLength - 1).join("")}…` : whole.join("")
  return `${sessionId}  ${runtime.padEnd(6)}  ${time}  ${paint.strong(title)}  ${paint.quiet(escapeControls(facts.cwd ?? ""))}`
}
