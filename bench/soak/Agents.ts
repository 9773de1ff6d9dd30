/**
 * The agents of a soak: which tapes are played, the program that replays them in a process, and the real CLI with a
 * scripted model, where it is at hand.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { installCli, type Lane, type Model, type Reply, readTapeFile, startModel } from "@agentwire/fixtures"
import { Tape } from "@agentwire/protocol"
import type { Chance } from "./Chance.ts"
import { marked, markedTape } from "./Mark.ts"
import type { AgentKind, Plan } from "./Orders.ts"

/** The version of the real CLI, and of the tapes. */
export const cliVersion = "2.1.325"

/** The environment variable by which the processes of a thread are found. */
export const threadVariable = "AGENTWIRE_SOAK"

/** How many agents of each kind there are among six threads. */
const turns: ReadonlyArray<AgentKind> = ["tape", "process", "tape", "cli", "tape", "process"]

/** What the agents of a soak are made of. */
export interface AgentSetting {
  /** A folder of its own. */
  readonly root: string
  /** The folder of recorded tapes. */
  readonly tapes: string
  /** The command line of `agentwire`. */
  readonly agentwire: string
  readonly withCli: boolean
}

/** Makes the plans of threads. */
export class Agents {
  /** The real CLI; undefined when it is not used. */
  readonly cli: string | undefined
  readonly #setting: AgentSetting
  readonly #all: ReadonlyArray<string>
  readonly #simple: ReadonlyArray<Tape.Tape>
  readonly #model: Model
  readonly #lanes: Array<Lane>

  private constructor(
    setting: AgentSetting,
    cli: string | undefined,
    all: ReadonlyArray<string>,
    simple: ReadonlyArray<Tape.Tape>,
    model: Model,
    lanes: Array<Lane>
  ) {
    this.#setting = setting
    this.cli = cli
    this.#all = all
    this.#simple = simple
    this.#model = model
    this.#lanes = lanes
  }

  /** Finds the tapes and the CLI, and starts the model. */
  static async find(setting: AgentSetting): Promise<Agents> {
    for (const name of ["home", "tmp"]) mkdirSync(join(setting.root, name))
    const all = readdirSync(setting.tapes).map((name) => join(setting.tapes, name))
    const tapes = await Promise.all(all.map((file) => readTapeFile(file)))
    const simple = tapes.flatMap(({ tape }) => (tape !== undefined && isSimple(tape) ? [tape] : []))
    const lanes: Array<Lane> = []
    const model = await startModel({ script: { replies: [], lanes } })
    return new Agents(setting, await cachedCli(setting.withCli), all, simple, model, lanes)
  }

  /** The plan of a thread of this session. Its name says what its agents are. */
  plan(session: number, name: string, mark: string, chance: Chance): Plan {
    const turn = turns[session % turns.length] ?? "tape"
    const kind = turn === "cli" && this.cli === undefined ? "process" : turn
    const threadId = `${name}-${kind}`
    const plan: Plan = { threadId, mark, kind, tapes: [], program: "", env: { [threadVariable]: `${threadId};` } }
    switch (kind) {
      case "tape":
        return { ...plan, tapes: chance.shuffled(this.#all) }
      case "process":
        return { ...plan, program: this.#replayer(threadId, mark, chance) }
      case "cli":
        this.#lanes.push({ match: mark, replies: repliesFor(mark, chance) })
        return { ...plan, program: this.cli ?? "", env: { ...plan.env, ...this.#cliEnvironment() } }
    }
  }

  /** Ends the model. */
  close(): Promise<void> {
    return this.#model.close()
  }

  #cliEnvironment(): Readonly<Record<string, string>> {
    const { root } = this.#setting
    return {
      HOME: join(root, "home"),
      TMPDIR: join(root, "tmp"),
      ANTHROPIC_API_KEY: "sk-dummy-000000000000000000000000",
      ANTHROPIC_BASE_URL: this.#model.url,
      DISABLE_TELEMETRY: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1"
    }
  }

  /** A program that replays another tape at each start. */
  #replayer(threadId: string, mark: string, chance: Chance): string {
    const folder = join(this.#setting.root, threadId)
    mkdirSync(folder)
    const chosen = chance.shuffled(this.#simple).slice(0, tapesOfProcess)
    for (const [index, tape] of chosen.entries())
      writeFileSync(join(folder, `${index}.tape`), Tape.encodeTape(markedTape(tape, mark, index)))
    writeFileSync(join(folder, "starts"), "0\n")
    const program = join(folder, "claude")
    writeFileSync(program, replayer(folder, chosen.length, this.#setting.agentwire))
    chmodSync(program, 0o755)
    return program
  }
}

/** As many as a thread starts processes, or so: the ids of a tape that comes again are not new. */
const tapesOfProcess = 14

const replayer = (folder: string, tapes: number, agentwire: string): string => `#!/bin/sh
if [ "$1" = --version ]; then echo "${cliVersion} (Claude Code)"; exit; fi
read -r starts < '${folder}/starts'
echo $((starts + 1)) > '${folder}/starts'
exec '${process.execPath}' '${agentwire}' replay "${folder}/$((starts % ${tapes})).tape" --match none --speed real -- "$@"
`

/** Whether a host that only begins, prompts and answers gets all of a tape. */
const isSimple = (tape: Tape.Tape): boolean => {
  const said = Tape.tapeLines(tape.frames).flatMap(({ from, line }) =>
    from === "host" && line._tag === "Text" ? [line.text] : []
  )
  const kinds = said.map((line) => /"type":"(control_request|control_response|user)"/.exec(line)?.[1])
  return kinds[0] === "control_request" && kinds[1] === "user" && !kinds.slice(1).includes("control_request")
}

/** The real CLI, if it was installed before: a soak is no reason to install it. */
const cachedCli = async (wanted: boolean): Promise<string | undefined> => {
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache")
  if (!wanted || !existsSync(join(cache, "agentwire", "cli", cliVersion, "node_modules"))) return undefined
  const { args, program } = await installCli(cliVersion)
  return args[0] ?? program
}

const words = "The bridge carries every event to the one who asked for it, and to nobody else. "

const text = (mark: string, dripMs: number): Reply => ({
  kind: "message",
  blocks: [{ kind: "text", deltas: Array.from({ length: 12 }, () => marked(words, mark)) }],
  dripMs
})

const bash = (...commands: ReadonlyArray<string>): Reply => ({
  kind: "message",
  blocks: commands.map((command) => ({
    kind: "tool",
    type: "tool_use",
    names: ["Bash"],
    input: { command, description: "Does something" }
  }))
})

/** What the scripted model does on a thread, in an order of its own. */
const repliesFor = (mark: string, chance: Chance): ReadonlyArray<Reply> => {
  const made: Readonly<Record<string, () => Reply>> = {
    slowly: () => text(mark, 60),
    atOnce: () => text(mark, 0),
    thinks: () => ({
      kind: "message",
      blocks: [
        { kind: "thinking", deltas: [marked(words, mark), marked(words, mark)], signature: "c2lnbmVk" },
        { kind: "text", deltas: [marked(words, mark)] }
      ],
      dripMs: 20
    }),
    calls: () => bash(`echo ${marked("done here", mark)} > written`),
    callsTwice: () => bash("sleep 0.2; echo one", "sleep 0.1; echo two > written"),
    leavesAProcess: () => bash("sleep 300 & echo started > written"),
    hangs: () => ({
      kind: "message",
      blocks: [{ kind: "text", deltas: [marked(words, mark), marked(words, mark)] }],
      break: { how: "hang", afterEvents: 4 }
    })
  }
  const weights = { slowly: 8, atOnce: 4, thinks: 4, calls: 5, callsTwice: 3, leavesAProcess: 2, hangs: 1 }
  return Array.from({ length: 40 }, () => made[chance.weighted(weights)]?.() ?? text(mark, 0))
}
