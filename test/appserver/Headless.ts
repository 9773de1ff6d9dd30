/** Clients without a screen: programs of `clients/`, each in a process of its own, which tell what became of each case. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Schema from "effect/Schema"
import type { Lane } from "../../packages/cli/src/conform/appserver/Stage.ts"
import { installPackage } from "../../packages/fixtures/src/InstallPackage.ts"
import { misfitsOf, type Place, type ServerKind, withServer } from "./Servers.ts"

/** What became of a case, in words that are the same in every run. */
export const Told = Schema.Struct({ name: Schema.String, outcome: Schema.String })

/** What became of a case, in words that are the same in every run. */
export type Told = typeof Told.Type

/** A client, and what it needs. */
export interface HeadlessClient {
  readonly name: string
  /** The program in `clients/`. */
  readonly program: string
  /** What npm installs for it. */
  readonly packages: ReadonlyArray<string>
  /** A file of that. */
  readonly entry: string
  /** It is not run every day. */
  readonly isRare?: boolean
  /** How long all its cases may take, where that is longer than for the others. */
  readonly limitMs?: number
}

/** codex-acp: Codex for editors that speak the Agent Client Protocol. */
export const codexAcp: HeadlessClient = {
  name: "codex-acp 2.6.0",
  program: "acp.mjs",
  packages: ["@agentclientprotocol/codex-acp@2.6.0", "@agentclientprotocol/sdk@2.4.0"],
  entry: join("@agentclientprotocol", "codex-acp", "package.json")
}

/** The same under acpx, a client that is a program of its own. */
const acpx: HeadlessClient = {
  name: "codex-acp 2.6.0 under acpx 0.19.1",
  program: "acpx.mjs",
  packages: ["@agentclientprotocol/codex-acp@2.6.0", "acpx@0.19.1"],
  entry: join("acpx", "package.json"),
  isRare: true,
  // Each of its prompts is two processes of its own, and starts a server.
  limitMs: 600_000
}

/** The clients there are. */
export const headlessClients: ReadonlyArray<HeadlessClient> = [
  codexAcp,
  acpx,
  {
    name: "ai-sdk-provider-codex-cli 2.2.1",
    program: "ai-cli.mjs",
    packages: ["ai-sdk-provider-codex-cli@2.2.1"],
    entry: join("ai-sdk-provider-codex-cli", "package.json"),
    isRare: true
  },
  {
    name: "ai-sdk-provider-codex-app-server 1.1.7",
    program: "ai-app.mjs",
    packages: ["ai-sdk-provider-codex-app-server@1.1.7"],
    entry: join("ai-sdk-provider-codex-app-server", "package.json")
  }
]

/**
 * What the model says in each case: a case's name is in its prompt. Where a thread has several prompts, the later ones
 * come first, because some servers repeat the first prompt with each question to the model.
 */
const lanes: ReadonlyArray<Lane> = [
  // codex-acp has a title made in a thread of its own, beside the next turn, and repeats the first prompt there.
  { match: "generate a very short title", beats: Array.from({ length: 20 }, () => ({ say: ['{"title":"A title"}'] })) },
  { match: "[resume]", beats: [{ say: ["Still ", "here."] }] },
  { match: "[again]", beats: [{ say: ["Second."] }] },
  { match: "[answer]", beats: [{ say: ["Hello ", "there."] }] },
  { match: "[run]", beats: [{ run: "echo made > run.txt" }, { say: ["Made."] }] },
  { match: "[approve]", beats: [{ run: "echo made > approve.txt", outside: true }, { say: ["Made."] }] },
  { match: "[decline]", beats: [{ run: "echo made > decline.txt", outside: true }, { say: ["Not made."] }] },
  {
    match: "[session]",
    beats: [
      { run: "echo once >> session.txt", outside: true },
      { say: ["Once."] },
      { run: "echo once >> session.txt", outside: true },
      { say: ["Twice."] }
    ]
  },
  { match: "[patch]", beats: [{ write: "patch.txt", content: "A note.\n" }, { say: ["Written."] }] },
  { match: "[cancel]", beats: [{ hang: ["I ", "write"] }] }
]

/** How long all cases of a client may take, unless it says otherwise. */
const limitMs = 120_000

/** Installs what a client needs, once. The folder that has it. */
export const installClient = ({ entry, packages }: HeadlessClient): Promise<string> =>
  installPackage({
    folder: join("appserver-clients", packages.join("+").replaceAll("/", "-")),
    specs: packages,
    entry
  })

/** Runs a client in front of a server. What it told; an end before its time is told, too. */
export const runHeadless = (client: HeadlessClient, kind: ServerKind): Promise<ReadonlyArray<Told>> =>
  withServer(kind, { lanes }, async (place) => [
    ...(await play(client, place, await installClient(client))),
    ...(await misfitsOf(place))
  ])

const play = (client: HeadlessClient, { codexPath, stage }: Place, packages: string): Promise<ReadonlyArray<Told>> =>
  new Promise((resolve, reject) => {
    const program = fileURLToPath(new URL(`clients/${client.program}`, import.meta.url))
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: stage.folder,
      JUDGE: JSON.stringify({ codexPath, cwd: stage.project, packages })
    }
    const child = spawn(process.execPath, [program], { env, detached: true, stdio: ["ignore", "pipe", "pipe"] })
    let stdout = ""
    let stderr = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text
    })
    const timer = setTimeout(() => child.kill("SIGKILL"), client.limitMs ?? limitMs)
    child.once("error", reject)
    child.once("close", (code, signal) => {
      clearTimeout(timer)
      killGroup(child.pid)
      const lines = stdout.split("\n").filter((line) => line !== "")
      const told = lines.map((line) => Schema.decodeUnknownSync(Schema.fromJsonString(Told))(line))
      const how = `ended with ${code ?? signal}: ${stderr.trim().split("\n").slice(-8).join(" | ")}`
      resolve(code === 0 ? told : [...told, { name: "end", outcome: how }])
    })
  })

/** Ends what a client left behind. */
const killGroup = (pid: number | undefined): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, "SIGKILL")
  } catch (error) {
    // ESRCH: nothing was left.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error
  }
}
