/** `agentwire history list`: the sessions that Claude Code kept. */
import { resolve } from "node:path"
import { findSession, type ListedSession, listSessions } from "@agentwire/bridge/claude"
import type { ExitCode, Input } from "../../Command.ts"
import type { Console } from "../../Console.ts"
import { wholeNumber } from "../../OptionValue.ts"
import { escapeControls, type Paint } from "../../Paint.ts"
import { attempt, isoOf, projectsOf } from "./Session.ts"

/** Lists the sessions, the newest first. */
export const list = async (input: Input, console: Console): Promise<ExitCode> => {
  const { before, cwd, json } = input.values
  const projects = projectsOf(input)
  const limit = wholeNumber("limit", input.values["limit"], 1) ?? 50
  // It may be the beginning of an id, as everywhere.
  const last = typeof before === "string" ? await attempt(findSession(projects, before), input) : undefined
  const { more, sessions } = await attempt(
    listSessions({
      projects,
      limit,
      ...(typeof cwd === "string" && { cwd: resolve(cwd) }),
      ...(last !== undefined && { before: last.sessionId })
    }),
    input
  )
  if (json === true) {
    for (const session of sessions) await console.out(JSON.stringify(aboutOf(session)))
    await console.out(JSON.stringify({ more }))
    return 0
  }
  for (const session of sessions) await console.out(rowOf(session, console.paint))
  if (sessions.length === 0)
    await console.out(`No sessions${typeof cwd === "string" ? ` of ${cwd}` : ""} in ${projects}`)
  const oldest = sessions.at(-1)
  if (more && oldest !== undefined)
    await console.out(console.paint.quiet(`older ones: agentwire history list --before ${oldest.sessionId}`))
  return 0
}

const aboutOf = ({ bytes, facts, file, modifiedAt, sessionId }: ListedSession) => ({
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

const rowOf = ({ facts, modifiedAt, sessionId }: ListedSession, paint: Paint): string => {
  const time = (isoOf(facts.activeAt ?? modifiedAt) ?? "").slice(0, 16).replace("T", " ")
  const whole = Array.from(escapeControls(facts.title ?? ""))
  const title = whole.length > titleLength ? `${whole.slice(0, titleLength - 1).join("")}…` : whole.join("")
  return `${sessionId}  ${time}  ${paint.strong(title)}  ${paint.quiet(escapeControls(facts.cwd ?? ""))}`
}
