/**
 * Stands in for a CLI of 2.1.120 or before that was started with `--sdk-url`: connects to a host's WebSocket and
 * plays the agent's side of a tape there, one message a line with its `\n`.
 *
 * Where the socket drops, it does what the recorded version does: connects again after the same times, loses what
 * was written meanwhile or sends all of it again, and gives up or ends at a close code as that one does.
 */
import * as Claude from "@agentwire/protocol/claude"
import * as Tape from "@agentwire/protocol/tape"
import { Framer, isRecord } from "@agentwire/protocol/wire"
import WebSocket, { type RawData } from "ws"
import { Failure } from "../Failure.ts"
import { signalCodes, unasked, type Wires } from "./AsCli.ts"
import { type Ending, Player, type PlayOptions } from "./Player.ts"

/** How a version behaves when its socket drops. */
interface Habits {
  /** When it connects again, in milliseconds after each loss; the last one repeats unless it gives up. */
  readonly retryAfter: ReadonlyArray<number>
  readonly givesUp: boolean
  /** Whether a new connection gets everything from the beginning, or nothing of what was missed. */
  readonly replay: "none" | "all"
  /** Close codes that end it. */
  readonly fatal: ReadonlyArray<number>
}

/** From wire/claude-code.md §2: 2.1.37 tries at +1 s and +5 s, 2.1.120 at about +1, +3, +7, +15 and +31 s. */
const habitsOf = (version: string): Habits => {
  const givesUp = Claude.fact("sdkUrlGivesUp", version) ?? false
  return {
    retryAfter: givesUp ? [1000, 4000] : [1000, 2000, 4000, 8000, 16_000],
    givesUp,
    replay: Claude.fact("sdkUrlReplay", version) ?? "none",
    fatal: Claude.fact("sdkUrlFatalCloseCodes", version) ?? []
  }
}

/** Options of {@link replayOverSdkUrl}. */
export interface SdkUrlOptions extends PlayOptions {
  readonly url: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Plays the agent's side of a tape to the host at a URL until it ends. */
export const replayOverSdkUrl = (tape: Tape.Tape, options: SdkUrlOptions, wires: Wires): Promise<Ending> =>
  new Connection(tape, options, wires).ended

/** The CLI pings this often. */
const pingEvery = 10_000

class Connection {
  readonly ended: Promise<Ending>
  readonly #options: SdkUrlOptions
  readonly #headers: Readonly<Record<string, string>>
  readonly #habits: Habits
  readonly #overStdio: boolean
  readonly #player: Player
  /** What a new connection gets again, by uuid. */
  readonly #sent = new Map<string, Uint8Array>()
  readonly #opened: Promise<void>
  #open: () => void = () => {}
  #refuse: (error: unknown) => void = () => {}
  #socket: WebSocket | undefined
  #framer = new Framer()
  #connections = 0
  #failures = 0
  #lastUuid: string | undefined
  /** Something was written while nobody was there. */
  #missed = false
  #over = false

  constructor(tape: Tape.Tape, options: SdkUrlOptions, wires: Wires) {
    this.#options = options
    this.#habits = habitsOf(tape.header.runtime.version ?? "2.1.120")
    this.#headers = headersOf(tape, options.env)
    this.#opened = new Promise((resolve, reject) => {
      this.#open = resolve
      this.#refuse = reject
    })
    this.#overStdio = tape.header.transport === "stdio"
    this.#player = new Player(Tape.scriptOf(tape.frames, tape.header.runtime.name), options, {
      write: async (channel, bytes) => {
        await this.#opened
        if (channel === "ws" || (channel === "stdout" && this.#overStdio)) await this.#say(bytes)
        else wires[channel === "stderr" ? "stderr" : "stdout"].write(bytes)
      },
      shut: () => {}
    })
    wires.onSignal((signal) => {
      this.#player.skipWaits()
      this.#player.receive({ _tag: "Signal" })
      this.#finish(signalCodes[signal])
    })
    this.ended = Promise.race([this.#player.ended, this.#opened.then(() => this.#player.ended)]).finally(() => {
      this.#over = true
      this.#leave(tape)
    })
    this.#connect()
  }

  #connect(): void {
    const again = this.#connections > 0
    const headers = {
      ...this.#headers,
      ...(again && this.#lastUuid !== undefined && { "X-Last-Request-Id": this.#lastUuid })
    }
    const socket = new WebSocket(this.#options.url, { headers })
    const pings = setInterval(() => socket.readyState === WebSocket.OPEN && socket.ping(), pingEvery)
    let trouble: Error | undefined
    socket.on("open", () => this.#connected(socket))
    socket.on("message", (data: RawData) => {
      for (const { text } of this.#framer.push(bytesOf(data))) this.#player.receive({ _tag: "Line", text })
    })
    socket.on("error", (error) => {
      trouble = error
    })
    socket.on("close", (code) => {
      clearInterval(pings)
      this.#dropped(code, trouble)
    })
  }

  #connected(socket: WebSocket): void {
    const again = this.#connections++ > 0
    this.#failures = 0
    this.#framer = new Framer()
    this.#socket = socket
    if (!again) {
      this.#open()
      return
    }
    // A drop that is on the tape has on the tape what was sent again; 2.1.120 even changes some of it meanwhile.
    const onTape = this.#player.awaitedCue?._tag === "Gap" && !this.#missed
    this.#missed = false
    if (!onTape) for (const bytes of this.#sent.values()) socket.send(text(bytes))
    this.#player.receive({ _tag: "Reopened" })
  }

  #dropped(code: number, trouble: Error | undefined): void {
    this.#socket = undefined
    if (this.#over) return
    if (this.#connections === 0 && this.#habits.retryAfter.length <= this.#failures) {
      this.#refuse(new Failure(`Cannot connect to ${this.#options.url}: ${trouble?.message ?? `closed with ${code}`}.`))
      return
    }
    const { fatal, givesUp, retryAfter } = this.#habits
    const tries = this.#failures++
    const isFinal = fatal.includes(code) || (givesUp && tries >= retryAfter.length)
    // A tape of stdio ends with its input, and here the input is the connection.
    const waits = this.#player.awaitedCue
    if (isFinal || waits === undefined || (waits._tag === "HearEnd" && this.#overStdio)) {
      this.#finish(0)
      return
    }
    setTimeout(
      () => {
        if (!this.#over) this.#connect()
      },
      retryAfter[Math.min(tries, retryAfter.length - 1)]
    )
  }

  /** Ends as the tape does where it has an end, else with this code, and says what was never asked for. */
  #finish(code: number): void {
    this.#player.receive({ _tag: "End" })
    const rest = unasked(this.#player)
    this.#player.end({ signal: null, ...rest, code: rest === undefined ? code : code === 0 ? 1 : code })
  }

  async #say(bytes: Uint8Array): Promise<void> {
    const uuid = uuidOf(text(bytes))
    if (uuid !== undefined) {
      if (this.#habits.replay === "all") this.#sent.set(uuid, bytes)
      this.#lastUuid = uuid
    }
    const socket = this.#socket
    if (socket?.readyState !== WebSocket.OPEN) {
      this.#missed = true
      return
    }
    // A socket that breaks while it is written to will say so itself.
    await new Promise<void>((resolve) => socket.send(text(bytes), () => resolve()))
  }

  /** The process that ends takes its socket with it, with a word where the tape has one. */
  #leave(tape: Tape.Tape): void {
    const closed = tape.frames.findLast((frame) => frame._tag === "Close" && frame.channel === "ws")
    const code = closed?._tag === "Close" && closed.from === "agent" ? closed.ws?.code : undefined
    const polite = code !== undefined && (code === 1000 || code >= 3000)
    if (polite) this.#socket?.close(code)
    else this.#socket?.terminate()
  }
}

/** What the CLI adds to its upgrade, from the environment as the CLI does, else as it was recorded. */
const headersOf = (tape: Tape.Tape, env: SdkUrlOptions["env"]): Readonly<Record<string, string>> => {
  const first = tape.frames.find((frame) => frame._tag === "Open")
  const recorded: Record<string, string> = {}
  for (const [name, value] of Object.entries(first?.headers ?? {})) {
    if (["authorization", "x-environment-runner-version", "user-agent"].includes(name.toLowerCase()))
      recorded[name.toLowerCase()] = value
  }
  const token = env["CLAUDE_CODE_SESSION_ACCESS_TOKEN"]
  const runner = env["CLAUDE_CODE_ENVIRONMENT_RUNNER_VERSION"]
  return {
    ...recorded,
    ...(token !== undefined && token !== "" && { authorization: `Bearer ${token}` }),
    ...(runner !== undefined && runner !== "" && { "x-environment-runner-version": runner })
  }
}

const utf8 = new TextDecoder()

const text = (bytes: Uint8Array): string => utf8.decode(bytes)

const bytesOf = (data: RawData): Uint8Array => {
  if (Array.isArray(data)) return Buffer.concat(data)
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data
}

const uuidOf = (line: string): string | undefined => {
  const value = Tape.parseLine(line)
  return isRecord(value) && typeof value["uuid"] === "string" ? value["uuid"] : undefined
}
