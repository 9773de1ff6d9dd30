/**
 * What `thread/settings/update` chooses for the rest of a conversation. The next process is told what its thread is to be
 * when it resumes it, so a choice that nobody kept would be taken back by that.
 */
import { isRecord } from "@agentwire/protocol/wire"
import * as Result from "effect/Result"
import { type AgentOptions, decodeAgentOptions } from "../../session/AgentOptions.ts"
import { noDefaultModel, SettingFailed, type Settings } from "../../session/Settings.ts"
import { leaveOf, modeOf, modeProblem } from "./Options.ts"

type Body = Readonly<Record<string, unknown>>

/**
 * What a request chooses, as options; undefined where it chooses nothing that a later process could be given. An approval
 * policy and a sandbox that no permission mode has are such: they are forgotten with the process.
 */
export const choiceIn = (method: string, body: Body, now: AgentOptions): AgentOptions | undefined => {
  if (method !== "thread/settings/update") return undefined
  const { approvalPolicy, effort, model, sandboxPolicy } = body
  const permissionMode =
    approvalPolicy === undefined && sandboxPolicy === undefined ? undefined : modeIn(approvalPolicy, sandboxPolicy, now)
  const decoded = decodeAgentOptions({
    ...(typeof model === "string" && { model }),
    ...(typeof effort === "string" && { effort }),
    ...(permissionMode !== undefined && { permissionMode })
  })
  return Result.isSuccess(decoded) && Object.keys(decoded.success).length > 0 ? decoded.success : undefined
}

/** What `thread/settings/update` says of some settings. */
export const settingsUpdate = (
  { effort, model, permissionMode }: Settings,
  { addDirs = [] }: AgentOptions
): Result.Result<Body, SettingFailed> => {
  if (model === null) return Result.fail(noDefaultModel("Codex"))
  const problem = modeProblem(permissionMode)
  if (problem !== undefined)
    return Result.fail(new SettingFailed({ code: "REFUSED", setting: "permissionMode", message: problem }))
  const { approvalPolicy, sandbox } = leaveOf(permissionMode)
  return Result.succeed({
    ...(model !== undefined && { model }),
    ...(effort !== undefined && { effort }),
    ...(permissionMode !== undefined && { approvalPolicy, sandboxPolicy: sandboxPolicyOf(sandbox, addDirs) })
  })
}

/** A sandbox as settings have it: as that which a thread begins with by the same name. */
const sandboxPolicyOf = (sandbox: unknown, writableRoots: ReadonlyArray<string>): Body => {
  const type = Object.keys(sandboxes).find((name) => sandboxes[name] === sandbox)
  return {
    type,
    ...(type !== "dangerFullAccess" && { networkAccess: false }),
    ...(type === "workspaceWrite" && { writableRoots, excludeTmpdirEnvVar: false, excludeSlashTmp: false })
  }
}

/** The sandboxes by the names that settings have for them: those of a thread are in kebab case (docs/wire/codex.md §2). */
const sandboxes: Readonly<Record<string, string>> = {
  readOnly: "read-only",
  workspaceWrite: "workspace-write",
  dangerFullAccess: "danger-full-access"
}

const modeIn = (approvalPolicy: unknown, sandboxPolicy: unknown, now: AgentOptions): string | undefined => {
  const before = leaveOf(now.permissionMode)
  const type = isRecord(sandboxPolicy) ? sandboxPolicy["type"] : undefined
  return modeOf({
    approvalPolicy: approvalPolicy ?? before.approvalPolicy,
    sandbox: typeof type === "string" ? sandboxes[type] : before.sandbox
  })
}
