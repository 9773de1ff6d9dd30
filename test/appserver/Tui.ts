/**
 * The Codex TUI, `codex --remote`, in front of a server: OpenAI's own client, in Rust, which reads every message
 * strictly. It is driven as a person would, in a terminal, and what became of each case is what it shows.
 */
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { installCodex } from "@agentwire/fixtures"
import { schemaVersion } from "@agentwire/protocol/codex"
import type { Beat } from "../../packages/cli/src/conform/appserver/Script.ts"
import { type Lane, stageToken } from "../../packages/cli/src/conform/appserver/Stage.ts"
import type { Told } from "./Headless.ts"
import { misfitsOf, type Place, type ServerKind, withServer } from "./Servers.ts"
import { Terminal } from "./Terminal.ts"

/** What the model says, in the order of the cases. */
const beats: ReadonlyArray<Beat> = [
  { say: ["Hello ", "there."] },
  { run: "echo made > approve.txt", outside: true },
  { say: ["Made."] },
  { run: "echo made > decline.txt", outside: true },
  { run: "touch session.txt", outside: true },
  { say: ["Once."] },
  { run: "touch session.txt", outside: true },
  { say: ["Twice."] },
  { write: "../note.txt", content: "A note.\n" },
  { say: ["Written."] },
  { hang: ["I ", "write"] },
  { say: ["I go ", "left", ...Array.from({ length: 20 }, () => " and on")], slowly: true },
  { say: ["Going right."] },
  { say: ["Still ", "here."] }
]

/** The TUI has a title made of each prompt, in a thread of its own. */
const titles: Lane = {
  match: "Generate a concise, single-line task title",
  beats: Array.from({ length: 20 }, () => ({ say: ['{"title":"Scripted title"}'] }))
}

/** The box to write in, when nothing is asked and nothing runs. */
const isReady = (screen: string): boolean => /^› Ask Codex to do anything$/m.test(screen)

/** What the TUI asks before it begins, and the keys that answer it: trust, and no other model. */
const doors: ReadonlyArray<readonly [shows: string, ...keys: ReadonlyArray<string>]> = [
  ["Trust and continue", "Enter"],
  ["Use existing model", "Down", "Enter"]
]

/** Answers what the TUI asks first, and waits for the box to write in. */
export const enterTui = async (
  terminal: Terminal,
  keep: (name: string, screen: string) => Promise<void> = async () => undefined
): Promise<void> => {
  const answered = new Set<string>()
  for (;;) {
    const asks = (screen: string) => doors.find(([shows]) => screen.includes(shows) && !answered.has(shows))
    // It shows the box already while it has yet to ask; the name of the model comes last.
    const isIn = (screen: string) => isReady(screen) && screen.includes("To get started")
    const screen = await terminal.until((seen) => asks(seen) !== undefined || isIn(seen), "the box to write in")
    const door = asks(screen)
    if (door === undefined) return
    const [shows, ...keys] = door
    await keep(`asked-${shows.toLowerCase().replaceAll(" ", "-")}`, screen)
    answered.add(shows)
    await terminal.press(...keys)
    await terminal.until((seen) => !seen.includes(shows), `an end of "${shows}"`)
  }
}

/** The TUI, with its own home, beside a server. */
class Tui {
  readonly #terminal: Terminal
  readonly #keep: (name: string, screen: string) => Promise<void>

  private constructor(terminal: Terminal, keep: Tui["keep"]) {
    this.#terminal = terminal
    this.#keep = keep
  }

  /** Starts it, and answers what it asks first. */
  static async open(place: Place, url: string, folder: string, keep: Tui["keep"]): Promise<Tui> {
    const { program } = await installCodex(schemaVersion)
    const codexHome = join(folder, "codex")
    await mkdir(codexHome, { recursive: true })
    const env = { PATH: process.env["PATH"] ?? "", HOME: folder, CODEX_HOME: codexHome, TOKEN: stageToken }
    const words = [program, "--remote", url, "--remote-auth-token-env", "TOKEN", "-C", place.stage.project]
    const tui = new Tui(await Terminal.start({ folder, words, env }), keep)
    await enterTui(tui.#terminal, keep)
    return tui
  }

  get keep(): (name: string, screen: string) => Promise<void> {
    return this.#keep
  }

  /** Sends a prompt. */
  async say(text: string): Promise<void> {
    await this.#terminal.type(text)
    await this.#terminal.until((screen) => screen.includes(`› ${text}`), `"${text}"`)
    await this.#terminal.press("Enter")
  }

  /** Waits until the screen has something. */
  async sees(name: string, ...texts: ReadonlyArray<string>): Promise<string> {
    const screen = await this.#terminal.until((seen) => texts.every((text) => seen.includes(text)), texts.join(", "))
    await this.keep(name, screen)
    return screen
  }

  /** Waits until the screen has something like this. */
  async seesLike(name: string, pattern: RegExp, what: string): Promise<string> {
    const screen = await this.#terminal.until((seen) => pattern.test(seen), what)
    await this.keep(name, screen)
    return screen
  }

  /** Presses keys. */
  press(...keys: ReadonlyArray<string>): Promise<void> {
    return this.#terminal.press(...keys)
  }

  /** Waits for a turn's end, which these words show, and tells what it shows of the turn. */
  async shown(name: string, prompt: string, last: string): Promise<Told> {
    const isOver = (screen: string) => isReady(screen) && blockOf(screen, prompt).includes(last)
    const screen = await this.#terminal.until(isOver, `the end of "${prompt}" with "${last}"`)
    await this.keep(name, screen)
    return { name, outcome: blockOf(screen, prompt) }
  }

  close(): Promise<void> {
    return this.#terminal.close()
  }
}

/** Lines that are otherwise in every run, or are no part of a turn. */
const isPassing = (line: string): boolean =>
  /^\s*(?:└ Tip:|Worked for |◦ |─+$)/.test(line) || line.includes("esc to interrupt")

/** What the screen shows of a turn: from its prompt to the box below. */
const blockOf = (screen: string, prompt: string): string => {
  const lines = screen.split("\n")
  const begin = lines.lastIndexOf(`› ${prompt}`)
  const end = lines.findIndex((line, at) => at > begin && line === "› Ask Codex to do anything")
  if (begin < 0) return ""
  return lines
    .slice(begin + 1, end < 0 ? undefined : end)
    .filter((line) => !isPassing(line))
    .map((line) => line.trim())
    .join(" / ")
}

/** Runs the TUI in front of a server. The screens go into a folder, where one is named. */
export const runTui = (kind: ServerKind, screens: string | undefined): Promise<ReadonlyArray<Told>> =>
  withServer(kind, { beats, lanes: [titles] }, async (place) => {
    const folder = await mkdtemp(join(tmpdir(), "agentwire-tui-"))
    const server = await place.listen()
    const told: Array<Told> = []
    const kept = screens === undefined ? undefined : join(screens, kind.name)
    if (kept !== undefined) await mkdir(kept, { recursive: true })
    let count = 0
    const keep = async (name: string, screen: string): Promise<void> => {
      if (kept === undefined) return
      const file = `${String(++count).padStart(2, "0")}-${name.replaceAll(" ", "-")}.txt`
      await writeFile(join(kept, file), `${screen.replaceAll(place.stage.folder, "/tmp/agentwire")}\n`)
    }
    try {
      await inTui(place, server.url, folder, keep, (tui) => playTurns(tui, place, told))
      await inTui(place, server.url, folder, keep, (tui) => playResume(tui, told))
    } catch (error) {
      // What it did not come to is part of the outcome.
      told.push({ name: "end", outcome: error instanceof Error ? error.message : String(error) })
    } finally {
      await server.close()
      told.push(...(await misfitsOf(place)))
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    }
    return told.map(({ name, outcome }) => ({ name, outcome: outcome.replaceAll(place.stage.folder, "") }))
  })

const inTui = async (
  place: Place,
  url: string,
  folder: string,
  keep: Tui["keep"],
  use: (tui: Tui) => Promise<void>
): Promise<void> => {
  const tui = await Tui.open(place, url, folder, keep)
  try {
    await use(tui)
  } finally {
    await tui.close()
  }
}

/** All that a person does in one go. */
const playTurns = async (tui: Tui, { stage }: Place, told: Array<Told>): Promise<void> => {
  const file = (name: string) => `${name} ${existsSync(join(stage.project, name)) ? "made" : "not made"}`
  const with_ = ({ name, outcome }: Told, more: string): Told => ({ name, outcome: `${outcome}; ${more}` })

  await tui.say("Say hello.")
  told.push(await tui.shown("answer", "Say hello.", "Hello there."))

  await tui.say("Make a file.")
  await tui.sees("approve-question", "Would you like to run the following command?", "approve.txt")
  await tui.press("Enter")
  told.push(with_(await tui.shown("approve", "Make a file.", "Made."), file("approve.txt")))

  await tui.say("Make another file.")
  await tui.sees("decline-question", "Would you like to run the following command?", "decline.txt")
  await tui.press("Escape")
  told.push(with_(await tui.shown("decline", "Make another file.", "interrupted"), file("decline.txt")))

  await tui.say("Make it once.")
  await tui.sees("session-question", "Would you like to run the following command?", "session.txt")
  await tui.press("Down", "Enter")
  told.push(await tui.shown("for the session", "Make it once.", "Once."))
  await tui.say("Make it twice.")
  told.push(await tui.shown("for the session, again", "Make it twice.", "Twice."))

  await tui.say("Write a note.")
  await tui.sees("patch-question", "Would you like to make the following edits?", "+A note.")
  await tui.press("Enter")
  told.push(await tui.shown("patch", "Write a note.", "Written."))

  await tui.say("Write for ever.")
  await tui.sees("interrupt-running", "I write")
  await tui.press("Escape")
  told.push(await tui.shown("interrupt", "Write for ever.", "interrupted"))

  await tui.say("Go left.")
  await tui.sees("steer-running", "I go left")
  await tui.say("No, right.")
  // How much of the text before it is left is a race.
  const { outcome } = await tui.shown("steer", "No, right.", "Going right.")
  told.push({ name: "steer", outcome: outcome.slice(outcome.indexOf("Going right.")) })
}

/** Another day: the thread is in the list, and goes on. */
const playResume = async (tui: Tui, told: Array<Told>): Promise<void> => {
  await tui.say("/resume")
  // It is empty for a moment.
  const list = await tui.seesLike("list", /\d+ \/ [1-9]\d* ·/, "a list of threads")
  const count = Number(/\d+ \/ (\d+) ·/.exec(list)?.[1])
  told.push({ name: "list", outcome: count === 1 ? "1 thread" : `${count} threads` })
  // The thread of before is the oldest there is.
  for (let below = 1; below < count; below++) await tui.press("Down")
  await tui.press("Enter")
  await tui.sees("resumed", "Going right.")
  await tui.say("Are you there?")
  told.push(await tui.shown("resume", "Are you there?", "Still here."))
}
