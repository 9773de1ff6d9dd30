/** A program in a terminal of its own (tmux): what it shows, and keys for it. */
import { execFile } from "node:child_process"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { promisify } from "node:util"

/** How a program is started. */
export interface TerminalOptions {
  /** A folder that is there. */
  readonly folder: string
  readonly words: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
}

/** The size of the terminal: long enough for a whole turn. */
const size = { columns: 110, rows: 60 } as const

/** How often the screen is looked at, and for how long something is waited for. */
const look = { everyMs: 150, forMs: 120_000 } as const

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** A program in a terminal. */
export class Terminal {
  readonly #socket: string

  private constructor(socket: string) {
    this.#socket = socket
  }

  /** Starts a program. Its environment is what it is given, and no more. */
  static async start({ env, folder, words }: TerminalOptions): Promise<Terminal> {
    // Not that of a terminal before it, whose server may yet be on its way out.
    const terminal = new Terminal(join(folder, `tmux-${randomUUID().slice(0, 8)}`))
    const variables = Object.entries({ TERM: "xterm-256color", ...env }).map(([name, value]) => `${name}=${value}`)
    const command = ["env", "-i", ...variables, ...words].map(quoted).join(" ")
    const measures = ["-x", String(size.columns), "-y", String(size.rows)]
    // The terminal outlives its program, so that what it showed last can be seen.
    await terminal.#tmux("new-session", "-d", ...measures, `${command}; echo "(it has ended)"; exec cat`)
    return terminal
  }

  /** What is on the screen, without the empty lines. */
  async screen(): Promise<string> {
    const shown = await this.#tmux("capture-pane", "-p")
    return shown
      .split("\n")
      .map((line) => line.trimEnd())
      .filter((line) => line !== "")
      .join("\n")
  }

  /** Types a text. */
  async type(text: string): Promise<void> {
    await this.#tmux("send-keys", "-l", text)
  }

  /** Presses keys, by their names in tmux. */
  async press(...keys: ReadonlyArray<string>): Promise<void> {
    for (const key of keys) await this.#tmux("send-keys", key)
  }

  /** Waits until the screen is as it should be, and gives it. */
  async until(isSo: (screen: string) => boolean, what: string): Promise<string> {
    const end = Date.now() + look.forMs
    for (;;) {
      const screen = await this.screen()
      if (isSo(screen)) return screen
      if (Date.now() > end) throw new Error(`There was never ${what} on the screen:\n${screen}`)
      await new Promise((resolve) => setTimeout(resolve, look.everyMs))
    }
  }

  /** Ends the program. */
  async close(): Promise<void> {
    await this.#tmux("kill-server")
  }

  async #tmux(...args: ReadonlyArray<string>): Promise<string> {
    const { stdout } = await promisify(execFile)("tmux", ["-S", this.#socket, "-f", "/dev/null", ...args])
    return stdout
  }
}
