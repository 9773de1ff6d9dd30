/**
 * Folders of sessions that mean harm, by name: what `history` looks for sessions in. Like the files of `Inputs.ts`, each
 * is made on the spot, in the size that is asked for.
 */
import { execFileSync } from "node:child_process"
import { closeSync, ftruncateSync, linkSync, mkdirSync, openSync, symlinkSync, writeFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import type { HostileInput } from "./Inputs.ts"

/** The session that the commands ask for by its id. */
export const hostileSession = "11111111-1111-4111-8111-111111111111"

const line = (uuid: number, content: string): string =>
  `${JSON.stringify({ type: "user", uuid: `u${uuid}`, parentUuid: null, sessionId: hostileSession, message: { role: "user", content } })}\n`

const id = (at: number): string => `${String(at).padStart(8, "0")}-1111-4111-8111-111111111111`

/** A folder of one project, and how it is filled. */
const projects = (name: string, fill: (project: string, unit: number) => void): HostileInput => ({
  name,
  make: (folder, unit) => {
    const path = join(folder, name)
    const project = join(path, "-p")
    mkdirSync(project, { recursive: true })
    fill(project, unit)
    return path
  }
})

/** A file that is mostly a hole: as long as it likes, and it takes no room. */
const hole = (path: string, start: string, bytes: number): void => {
  const file = openSync(path, "w")
  writeSync(file, start)
  ftruncateSync(file, bytes)
  closeSync(file)
}

const fill = (path: string, part: string, bytes: number): void => {
  const file = openSync(path, "w")
  const block = part.repeat(Math.max(1, Math.floor((1 << 20) / part.length)))
  for (let left = bytes; left > 0; left -= block.length) writeSync(file, block.slice(0, left))
  closeSync(file)
}

/** How many files a unit stands for: ten thousand in full size. */
const many = (unit: number): number => Math.ceil(unit / 10_000)

/** All of them. */
export const hostileProjects: ReadonlyArray<HostileInput> = [
  projects("sessions-by-the-thousand", (project, unit) => {
    for (let at = 0; at < many(unit); at++) writeFileSync(join(project, `${id(at)}.jsonl`), line(at, `prompt ${at}`))
    writeFileSync(join(project, `${hostileSession}.jsonl`), line(0, "x"))
  }),
  projects("sessions-in-which-nothing-is-said", (project, unit) => {
    // One file under thousands of names: each has a first line that is longer than what is read of it.
    const first = join(project, `${hostileSession}.jsonl`)
    hole(first, "", Math.min(unit, 8 << 20))
    for (let at = 0; at < many(unit); at++) linkSync(first, join(project, `${id(at)}.jsonl`))
  }),
  projects("session-with-one-line", (project, unit) =>
    hole(join(project, `${hostileSession}.jsonl`), line(0, "x"), 100 * unit)
  ),
  projects("session-of-newlines", (project, unit) => fill(join(project, `${hostileSession}.jsonl`), "\n", unit)),
  projects("session-of-broken-lines", (project, unit) =>
    fill(join(project, `${hostileSession}.jsonl`), '{"type":"user","uuid":\n[{}]\nnull\n', unit)
  ),
  projects("session-of-one-uuid", (project, unit) =>
    fill(join(project, `${hostileSession}.jsonl`), line(7, "the same"), unit)
  ),
  projects("sub-agents-by-the-thousand", (project, unit) => {
    const agents = join(project, hostileSession, "subagents")
    mkdirSync(agents, { recursive: true })
    writeFileSync(join(project, `${hostileSession}.jsonl`), line(0, "x"))
    const first = join(agents, "agent-0.jsonl")
    fill(first, line(1, "x".repeat(1000)), Math.min(unit, 1 << 20))
    for (let at = 1; at < many(unit); at++) linkSync(first, join(agents, `agent-${at}.jsonl`))
  }),
  projects("links-and-pipes", (project) => {
    const session = (name: string) => join(project, `${name}.jsonl`)
    execFileSync("mkfifo", [session(hostileSession), session(id(1))])
    symlinkSync("/dev/zero", session(id(2)))
    symlinkSync("/", join(project, "..", "root"))
    symlinkSync(project, join(project, "again"))
    symlinkSync(session(id(3)), session(id(3)))
    mkdirSync(session(id(4)))
  }),
  projects("projects-by-the-thousand", (project, unit) => {
    for (let at = 0; at < many(unit); at++) mkdirSync(join(project, "..", `-p-${at}`))
  }),
  {
    name: "links-to-themselves",
    make: (folder) => {
      const path = join(folder, "links-to-themselves")
      symlinkSync(path, path)
      return path
    }
  }
]
