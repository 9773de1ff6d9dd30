/** What a client gets of the approval policy and the sandbox that it wants, and what it is told of it. */
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { appliedIn, leaveOf, profilesOf } from "../../../src/face/appserver/Leave.ts"
import type { AppServerOptions } from "../../../src/face/appserver/Shared.ts"
import * as Codex from "../../../src/runtime/codex/Options.ts"

const claude: AppServerOptions = { runtime: "claude", cwd: "/" }
const codex: AppServerOptions = { runtime: "codex", cwd: "/" }
const free = { sessionOptions: ["permissionMode"] } as const

const leave = (params: object, options: AppServerOptions, before?: string) =>
  Effect.runPromise(leaveOf(params, options, before))

const sandboxWords = {
  "read-only": "readOnly",
  "workspace-write": "workspaceWrite",
  "danger-full-access": "dangerFullAccess"
} as const

describe("what applies", () => {
  it("is said of each of Codex's modes as Codex is told it", () => {
    for (const mode of Codex.permissionModes) {
      const { approvalPolicy, sandbox } = Codex.leaveOf(mode)
      const said = appliedIn("codex", mode)
      assert.deepEqual(
        [said.approvalPolicy, said.sandbox.type],
        [approvalPolicy, sandboxWords[sandbox as keyof typeof sandboxWords]],
        mode
      )
    }
  })

  it("is never a sandbox before Claude Code, and always one before Codex", async () => {
    const wish = { permissions: ":workspace", approvalPolicy: "on-request" }
    const one = await leave(wish, { ...claude, ...free })
    assert.deepEqual([one.agent.permissionMode, one.sandbox.type], ["acceptEdits", "dangerFullAccess"])
    assert.deepEqual(one.activePermissionProfile, { id: ":workspace", extends: null })
    assert.isNull((await leave(wish, claude)).activePermissionProfile)
    assert.match(one.notKept.join(), /no sandbox of the operating system/)
    const other = await leave(wish, { ...codex, ...free })
    assert.deepEqual([other.agent.permissionMode, other.sandbox.type], ["on-request", "workspaceWrite"])
    assert.deepEqual(other.activePermissionProfile, { id: ":workspace", extends: null })
    assert.deepEqual([...other.warnings, ...other.notKept], [])
  })

  it("is the operator's where a client wants nothing", async () => {
    const operator = { ...claude, agent: { permissionMode: "bypassPermissions" } }
    assert.strictEqual((await leave({}, operator)).approvalPolicy, "never")
    assert.strictEqual(
      (await leave({}, { ...codex, agent: { permissionMode: "full-access" } })).sandbox.type,
      "dangerFullAccess"
    )
  })
})

describe("a client", () => {
  it.each([
    [
      "wants to be asked by an agent that asks for nothing",
      "bypassPermissions",
      { approvalPolicy: "untrusted" },
      "default"
    ],
    ["wants less than the operator lets everybody", "bypassPermissions", { sandbox: "workspace-write" }, "acceptEdits"],
    ["wants what the operator has", "acceptEdits", { sandbox: "workspace-write" }, undefined],
    ["wants more than it may", undefined, { sandbox: "workspace-write" }, undefined],
    ["wants not to be asked", "plan", { approvalPolicy: "never", sandbox: "read-only" }, "dontAsk"],
    ["wants to be asked where the operator lets nobody be", "dontAsk", { approvalPolicy: "on-request" }, undefined]
  ])("that %s has it", async (_, permissionMode, wish, expected) => {
    const operator = { ...claude, ...(permissionMode !== undefined && { agent: { permissionMode } }) }
    assert.strictEqual((await leave(wish, operator)).agent.permissionMode, expected)
  })

  it.each([
    { approvalPolicy: "untrusted", sandbox: "workspace-write" },
    { approvalPolicy: "on-request", sandbox: "read-only" },
    { approvalPolicy: "on-request", sandbox: "workspace-write" },
    { approvalPolicy: "never", sandbox: "read-only" },
    { approvalPolicy: "never", sandbox: "danger-full-access" }
  ])("of Codex that wants %j has no other sandbox than the operator lets it write in", async (wish) => {
    const operator = { ...codex, agent: { permissionMode: "read-only" } }
    assert.strictEqual((await leave(wish, operator)).sandbox.type, "readOnly")
  })

  it("that wanted more before goes back to being asked", async () => {
    const again = await leave(
      { approvalPolicy: "on-request", sandbox: "read-only" },
      { ...claude, ...free },
      "acceptEdits"
    )
    assert.deepEqual([again.agent.permissionMode, again.approvalPolicy], ["default", "on-request"])
    const after = await leave({ approvalPolicy: "on-request" }, claude, "dontAsk")
    assert.strictEqual(after.agent.permissionMode, "default")
  })

  it("of Codex that is not to be asked, and only to read, is not asked where the operator lets it", async () => {
    const wish = { approvalPolicy: "never", sandbox: "read-only" }
    const may = await leave(wish, { ...codex, ...free })
    assert.deepEqual([may.agent.permissionMode, may.approvalPolicy], ["never-read-only", "never"])
    const mayNot = await leave(wish, codex)
    assert.deepEqual([mayNot.agent.permissionMode, mayNot.approvalPolicy], ["read-only", "untrusted"])
    assert.lengthOf(mayNot.warnings, 1)
  })
})

it("permission profiles are Codex's own, as far as the operator lets them be chosen", () => {
  assert.deepEqual(
    profilesOf(claude).map(({ allowed, id }) => [id, allowed]),
    [
      [":read-only", true],
      [":workspace", false],
      [":danger-full-access", false]
    ]
  )
  assert.isTrue(profilesOf({ ...codex, ...free }).every(({ allowed }) => allowed))
})
