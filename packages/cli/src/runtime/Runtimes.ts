/**
 * The runtimes that the commands know, a row each: what the program is called, how its files tell its version, what it
 * prints when it is asked for one, where its folders show in what it says. How its lines are read is in `Wires.ts`.
 *
 * Nothing of the protocol package is imported here: a session that is recorded is not kept waiting for it.
 */
import { basename } from "node:path"
import type { Tape } from "@agentwire/protocol"

/** A runtime, as `--runtime` names it. */
export type RuntimeKind = "claude" | "codex"

/** What the commands have to know of a runtime's program. */
export interface Runtime {
  readonly kind: RuntimeKind
  /** What the header of its tapes calls it. */
  readonly tapeName: Tape.TapeHeader["runtime"]["name"]
  /** What people call it. */
  readonly title: string
  /** What its program is called. */
  readonly program: string
  /** The packages that bring it: how their names begin, how many folders above the program their manifests may be. */
  readonly packages: { readonly name: RegExp; readonly levels: number }
  /** Its version, from the name and the version of such a package. */
  readonly versionOf: (name: string, version: string) => string
  /** What it prints when it is asked for its version. */
  readonly versionLine: (version: string) => string
  /** Its flags whose value is the id of a session, where the host gives it one. */
  readonly sessionFlags: ReadonlyArray<string>
  /** Where each of its folders shows first, in a line as JSON has it. */
  readonly folders: ReadonlyArray<RegExp>
}

/** All of them, by kind. */
export const runtimes: Readonly<Record<RuntimeKind, Runtime>> = {
  claude: {
    kind: "claude",
    tapeName: "claude-code",
    title: "Claude Code",
    program: "claude",
    packages: { name: /^@anthropic-ai\/claude-(?:code(?:-|$)|agent-sdk-)/, levels: 1 },
    // The Agent SDK brings the CLI in packages of its own: SDK 0.3.325 has CLI 2.1.325.
    versionOf: (name, version) => (name.includes("/claude-agent-sdk-") ? version.replace(/^0\.3\./, "2.1.") : version),
    versionLine: (version) => `${version} (Claude Code)`,
    sessionFlags: ["--session-id", "--resume", "-r"],
    folders: [/"cwd":"([^"]+)"/, /"([^"\s]+?)\/\.claude\//, /"([^"\s]+?)\/(?:cc-socks|claude-\d+)\//]
  },
  codex: {
    kind: "codex",
    tapeName: "codex",
    title: "Codex",
    program: "codex",
    // The launcher is in bin/, the program itself in vendor/TARGET/bin/ of the package of a platform.
    packages: { name: /^@openai\/codex(?:-|$)/, levels: 4 },
    // The packages of platforms share the name and have 0.166.0-linux-x64.
    versionOf: (_, version) => version.replace(/^(\d+\.\d+\.\d+)-(?:linux|darwin|win32)-.*$/, "$1"),
    versionLine: (version) => `codex-cli ${version}`,
    sessionFlags: [],
    folders: [/"cwd":"([^"]+)"/, /"codexHome":"([^"]+)"/]
  }
}

/** The kinds, for options that name one. */
export const runtimeKinds: readonly [RuntimeKind, ...ReadonlyArray<RuntimeKind>] = ["claude", "codex"]

/** Says whose messages a file has. */
export const runtimeOption = {
  type: "string",
  value: runtimeKinds.join("|"),
  summary: "whose messages they are (default: what the file shows)"
} as const

/** The runtime that a tape is of. Names nobody knows are read as Claude Code's, as all tapes were once. */
export const runtimeOfTape = ({ runtime }: Pick<Tape.TapeHeader, "runtime">): Runtime =>
  Object.values(runtimes).find(({ tapeName }) => tapeName === runtime.name) ?? runtimes.claude

/** The runtime that a program is by its name: `codex`, `/opt/codex.js`, `codex-0.166.0`. */
export const runtimeByName = (program: string): Runtime | undefined => {
  const [word] = basename(program)
    .toLowerCase()
    .split(/[^a-z]/)
  return Object.values(runtimes).find((each) => each.program === word)
}
