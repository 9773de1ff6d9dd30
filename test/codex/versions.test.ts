/** The table of versions against the real programs, and what each of them says with `exec --json`. */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { execCodec, lookupMethod, measuredVersions, messages } from "@agentwire/protocol/codex"
import { describe, expect, it } from "vitest"
import { makeCodexHome } from "../../packages/fixtures/src/codex/Home.ts"
import { installCodex } from "../../packages/fixtures/src/codex/InstallCodex.ts"
import { type ResponsesReply, startResponses } from "../../packages/fixtures/src/codex/Responses.ts"
import { firstOf } from "../../packages/fixtures/test/Sweep.ts"
import { methodKinds } from "../../scripts/codex/Bundle.ts"
import { bundleOf } from "../../scripts/codex/Program.ts"

/** What `codex exec --json` prints when the model says this; it fails where the turn does. */
const exec = async (version: string, replies: ReadonlyArray<ResponsesReply>): Promise<ReadonlyArray<string>> => {
  const { args, program } = await installCodex(version)
  const model = await startResponses(replies)
  const home = await makeCodexHome(model.url)
  try {
    const words = [...args, "exec", "--json", "--skip-git-repo-check", "-s", "workspace-write", "go"]
    const running = promisify(execFile)(program, words, { cwd: home.cwd, env: home.env })
    running.child.stdin?.end()
    const { stdout } = await running.catch((error: { readonly stdout: string }) => error)
    return stdout.trimEnd().split("\n")
  } finally {
    await model.close()
    await home.remove()
  }
}

describe.each(firstOf(1, [...measuredVersions].reverse()))("codex %s", { timeout: 120_000 }, (version) => {
  it("has the methods that the table says", async () => {
    const { methods } = await bundleOf(version)
    const theirs = new Map(methodKinds.flatMap((kind) => methods[kind]).map((each) => [each.name, each.isExperimental]))
    const names = [...new Set([...theirs.keys(), ...Object.keys(messages)])].filter(
      (name) => !name.startsWith("response")
    )
    const wrong = names.filter((name) => {
      const isExperimental = theirs.get(name)
      const stage = isExperimental === undefined ? "absent" : isExperimental ? "experimental" : "stable"
      const { assumed, value } = lookupMethod(name, version)
      return assumed || value !== stage
    })
    expect(wrong).toEqual([])
  })

  it.each<[string, ReadonlyArray<ResponsesReply>, string]>([
    ["thinks and answers", [{ kind: "text", thought: ["A.", "B."], deltas: ["Hel", "lo"] }], "turn.completed"],
    ["runs a command", [{ kind: "command", command: "echo hi; exit 3" }], "turn.completed"],
    [
      "fails",
      Array.from({ length: 20 }, () => ({ kind: "error", status: 500, message: "broken" }) as const),
      "turn.failed"
    ]
  ])("exec --json %s in events that are known, without drift", async (_, replies, end) => {
    const lines = await exec(version, replies)
    expect(lines.length).toBeGreaterThan(3)
    const decoded = lines.map((line) => execCodec.decodeLine(line))
    expect(decoded.filter((each) => each._tag !== "Known" || each.odd !== undefined)).toEqual([])
    expect(lines.flatMap((line) => execCodec.drift(JSON.parse(line)))).toEqual([])
    expect(JSON.parse(lines.at(-1) ?? "{}").type).toBe(end)
  })
})
