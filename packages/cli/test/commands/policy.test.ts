import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { run } from "../run.ts"

const folder = mkdtempSync(join(tmpdir(), "agentwire-policy-"))
afterAll(() => rmSync(folder, { recursive: true }))

const save = (name: string, policy: object): string => {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify(policy))
  return path
}

const file = save("fine.json", {
  version: 1,
  deny: [{ tool: "Bash", command: "rm *", reason: "Not here." }],
  allow: [
    { tool: "Bash", command: "ls *" },
    { tool: "Read", path: "src/**" }
  ],
  modes: { planner: { default: "deny" } }
})
const wrong = save("wrong.json", { version: 1, denny: [], deny: [{ tool: "Read", command: "x" }] })

describe("agentwire policy test", () => {
  it.each([
    [0, "allow", ["--command", "ls -la"]],
    [1, "deny", ["--command", "ls; rm x"]],
    [1, "ask", ["--command", "ls; other"]],
    [1, "deny", ["--command", "ls; other", "--mode", "planner"]],
    [1, "deny", ["--tool", "Bash", "--input", '{"command":"rm"}']],
    [0, "allow", ["--tool", "Read", "--input", '{"file_path":"src/x"}']],
    [0, "allow", ["--tool", "Read", "--input", `{"file_path":"${folder}/src/x"}`, "--cwd", folder]],
    [1, "ask", ["--tool", "Read", "--input", `{"file_path":"${folder}/src/x"}`]],
    [1, "ask", ["--tool", "Unknown"]]
  ])("ends with %i and says %s to %j", async (code, decision, args) => {
    const ran = await run(["policy", "test", file, ...args])
    expect([ran.code, ran.err]).toEqual([code, ""])
    expect(ran.out).toMatch(new RegExp(`^${decision}: `))
    const json = await run(["policy", "test", file, ...args, "--json"])
    expect([json.code, JSON.parse(json.out).decision]).toEqual([code, decision])
  })

  it("shows the rules and the commands", async () => {
    const { out } = await run(["policy", "test", file, "--command", "ls $(env rm x) $((y))"])
    expect(out).toContain("deny   rm x\n         $.deny[0] fits (deny): Not here.")
    expect(out).toContain("-      env rm x\n         no rule fits, and none has to")
    expect(out).toContain("not understood: arithmetic on a variable")
  })

  it.each([
    ["no mode", ["test", file, "--command", "ls", "--mode", "planer"], 'no mode "planer". It has: planner.'],
    ["no call", ["test", file], "needs --command TEXT, or --tool NAME"],
    ["two calls", ["test", file, "--command", "ls", "--tool", "Bash"], "not both"],
    ["no JSON", ["test", file, "--tool", "Bash", "--input", "{"], "--input is not JSON"],
    ["no object", ["test", file, "--tool", "Bash", "--input", "[]"], "takes a JSON object"],
    ["no policy", ["test", wrong, "--command", "ls"], "$.denny: This key is not known here."],
    ["no file", ["test", join(folder, "none.json"), "--command", "ls"], "Cannot read the policy"],
    ["no name", ["test"], "takes one FILE"],
    ["no action", ["explain", file], "Use check or test."],
    ["nothing", [], "needs check or test"]
  ])("cannot do it with %s", async (_, args, words) => {
    const { code, err, out } = await run(["policy", ...args])
    expect([code, out]).toEqual([2, ""])
    expect(err).toContain(words)
  })
})

describe("agentwire policy check", () => {
  it("ends with 0 when the file is fine", async () => {
    expect(await run(["policy", "check", file])).toMatchObject({
      code: 0,
      out: `${file} is fine: 3 rules, modes planner.\n`
    })
  })

  it("ends with 1 and lists what is wrong", async () => {
    const { code, out } = await run(["policy", "check", wrong])
    expect(code).toBe(1)
    expect(out).toContain("  $.denny: This key is not known here.")
    expect(JSON.parse((await run(["policy", "check", wrong, "--json"])).out)).toMatchObject({
      ok: false,
      problems: [{ place: "$.denny", message: "This key is not known here." }]
    })
  })

  it("ends with 2 when there is no file", async () => {
    expect((await run(["policy", "check", join(folder, "none.json")])).code).toBe(2)
  })
})

describe("agentwire serve", () => {
  it.each([
    ["a policy that is none", ["--policy", wrong], "$.denny: This key is not known here."],
    ["a mode that is none", ["--policy", file, "--mode", "x"], 'no mode "x"'],
    ["a mode without a policy", ["--mode", "planner"], "name its --policy"]
  ])("does not start with %s", async (_, args, words) => {
    const { code, err } = await run([
      "serve",
      "--port",
      "0",
      "--cwd",
      folder,
      "--no-data",
      "--cli",
      process.execPath,
      ...args
    ])
    expect(code).toBe(2)
    expect(err).toContain(words)
  })
})
