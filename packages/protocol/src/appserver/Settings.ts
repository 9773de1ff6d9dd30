/**
 * What a client wants of a thread (`thread/start`, `turn/start`, …), as choices that any agent can be given, and in words
 * what cannot be kept: no sandbox of the operating system is pretended.
 */
import type { AskForApproval, SandboxPolicy } from "../codex/generated/Setting.ts"
import { fieldsIn, textIn } from "../wire/Fields.ts"
import { isRecord } from "../wire/Json.ts"

/** How much the agent may do by itself. */
export interface Autonomy {
  /** Without asking: look at files, change those of its folder too, or anything. */
  readonly may: "read" | "edit" | "everything"
  /** Whether somebody is asked about the rest. Otherwise that is refused. */
  readonly asks: boolean
}

/** What a client wants of a thread. What it does not say is left out. */
export interface ThreadChoices {
  readonly autonomy?: Autonomy
  readonly model?: string
  readonly effort?: string
  readonly cwd?: string
  /** To be said before the first prompt. */
  readonly instructions?: string
  /** The policies as they are told to clients. */
  readonly approvalPolicy?: AskForApproval
  readonly sandbox?: SandboxPolicy
  /** The permission profile that the sandbox was chosen by. */
  readonly profile?: string
}

/** The permission profiles that Codex has without being told of any, and the sandbox that each is. */
export const permissionProfiles: Readonly<Record<string, "read-only" | "workspace-write" | "danger-full-access">> = {
  ":read-only": "read-only",
  ":workspace": "workspace-write",
  ":danger-full-access": "danger-full-access"
}

/** What there is around the programs of an agent. */
export interface Surroundings {
  /** A sandbox of the operating system. */
  readonly sandboxed?: boolean
  /** What clients are told that the provider of its models is. */
  readonly provider?: string
}

/** What a client wants, what of it cannot be kept, and what is wrong with it. */
export interface ReadSettings {
  readonly choices: ThreadChoices
  /** In words, for people. */
  readonly notKept: ReadonlyArray<string>
  /** Why the request is refused, where it is. */
  readonly refused: string | undefined
}

type Fields = Readonly<Record<string, unknown>>

/** The sandboxes by both of their spellings: `thread/start` has words, `turn/start` objects. */
const sandboxes: Readonly<Record<string, SandboxPolicy>> = {
  "read-only": { type: "readOnly", networkAccess: false },
  "workspace-write": {
    type: "workspaceWrite",
    writableRoots: [],
    networkAccess: false,
    excludeTmpdirEnvVar: false,
    excludeSlashTmp: false
  },
  "danger-full-access": { type: "dangerFullAccess" }
}

const byType: Readonly<Record<string, { readonly may: Autonomy["may"]; readonly word: string }>> = {
  readOnly: { may: "read", word: "read-only" },
  workspaceWrite: { may: "edit", word: "workspace-write" },
  dangerFullAccess: { may: "everything", word: "danger-full-access" },
  externalSandbox: { may: "everything", word: "danger-full-access" }
}

const policies: ReadonlySet<string> = new Set(["untrusted", "on-request", "never"])

/** What a client wants of a thread. Never throws. */
export const sessionSettings = (params: unknown, { provider, sandboxed = false }: Surroundings = {}): ReadSettings => {
  const fields = fieldsIn(params)
  const refused = refusalOf(fields)
  if (refused !== undefined) return { choices: {}, notKept: [], refused }
  const sandbox = sandboxOf(fields)
  const approvalPolicy = policyOf(fields["approvalPolicy"])
  const autonomy = autonomyOf(approvalPolicy, sandbox)
  const instructions = [textIn(fields["baseInstructions"]), textIn(fields["developerInstructions"])].filter(
    (text) => text !== undefined && text !== ""
  )
  const named = { model: textIn(fields["model"]), effort: textIn(fields["effort"]), cwd: textIn(fields["cwd"]) }
  return {
    choices: {
      ...(autonomy !== undefined && { autonomy }),
      ...(named.model !== undefined && { model: named.model }),
      ...(named.effort !== undefined && { effort: named.effort }),
      ...(named.cwd !== undefined && { cwd: named.cwd }),
      ...(instructions.length > 0 && { instructions: instructions.join("\n\n") }),
      ...(approvalPolicy !== undefined && { approvalPolicy }),
      ...(sandbox !== undefined && { sandbox }),
      ...(typeof fields["permissions"] === "string" && { profile: fields["permissions"] })
    },
    notKept: notKept(fields, approvalPolicy, sandboxed ? undefined : sandbox, { ...usual, modelProvider: provider }),
    refused: undefined
  }
}

const refusalOf = ({ approvalPolicy, permissions, sandbox, sandboxPolicy }: Fields): string | undefined => {
  if (isSaid(approvalPolicy) && policyOf(approvalPolicy) === undefined)
    return `There is no approval policy ${JSON.stringify(approvalPolicy)}: untrusted, on-request, never or {granular}.`
  if (isSaid(sandbox) && !(typeof sandbox === "string" && Object.hasOwn(sandboxes, sandbox)))
    return `There is no sandbox ${JSON.stringify(sandbox)}: read-only, workspace-write or danger-full-access.`
  if (isSaid(sandboxPolicy) && !Object.hasOwn(byType, textIn(fieldsIn(sandboxPolicy)["type"]) ?? ""))
    return "The type of a sandboxPolicy is readOnly, workspaceWrite, dangerFullAccess or externalSandbox."
  if (!isSaid(permissions)) return undefined
  if (isSaid(sandbox) || isSaid(sandboxPolicy)) return "`permissions` cannot be combined with `sandbox`"
  return Object.hasOwn(permissionProfiles, String(permissions))
    ? undefined
    : `There is no permission profile ${JSON.stringify(permissions)}: ${Object.keys(permissionProfiles).join(", ")}.`
}

const isSaid = (value: unknown): boolean => value !== undefined && value !== null

const policyOf = (given: unknown): AskForApproval | undefined => {
  if (typeof given === "string") return policies.has(given) ? (given as AskForApproval) : undefined
  return isRecord(given) && isRecord(given["granular"]) ? (given as AskForApproval) : undefined
}

const sandboxOf = ({ permissions, sandbox, sandboxPolicy }: Fields): SandboxPolicy | undefined => {
  const type = textIn(fieldsIn(sandboxPolicy)["type"]) ?? ""
  if (Object.hasOwn(byType, type)) {
    const known = sandboxes[byType[type]?.word ?? ""]
    return known?.type === type
      ? ({ ...known, ...fieldsIn(sandboxPolicy) } as SandboxPolicy)
      : (sandboxPolicy as SandboxPolicy)
  }
  const word = typeof permissions === "string" ? permissionProfiles[permissions] : sandbox
  return typeof word === "string" ? sandboxes[word] : undefined
}

/** Both together say how much may be done: neither does alone. What is not said is asked about. */
const autonomyOf = (policy: AskForApproval | undefined, sandbox: SandboxPolicy | undefined): Autonomy | undefined => {
  if (policy === undefined && sandbox === undefined) return undefined
  const may = byType[sandbox?.type ?? ""]?.may ?? "read"
  // Whoever trusts nothing is asked about changes, too, wherever the sandbox would let them be made.
  return { may: policy === "untrusted" ? "read" : may, asks: policy !== "never" }
}

/** What would be kept by Codex, and is not here. */
const notKept = (
  fields: Fields,
  policy: AskForApproval | undefined,
  sandbox: SandboxPolicy | undefined,
  known: Fields
): ReadonlyArray<string> => {
  const words: Array<string> = []
  if (sandbox !== undefined && sandbox.type !== "dangerFullAccess")
    words.push(
      "There is no sandbox of the operating system: what the agent may do is decided before each tool call, and a command that is allowed can reach whatever its user can."
    )
  if (isRecord(policy))
    words.push("A granular approval policy is kept as on-request: somebody is asked about all of it.")
  for (const [key, meaning] of Object.entries(unkept))
    if (isSaid(fields[key]) && fields[key] !== known[key]) words.push(meaning)
  return words
}

/** What is so anyway. */
const usual: Fields = { serviceTier: "default", approvalsReviewer: "user", personality: "none", summary: "auto" }

/** Settings without an equivalent, and what is said of them. */
const unkept: Readonly<Record<string, string>> = {
  modelProvider: "The provider of the model is the agent's own.",
  serviceTier: "There are no service tiers.",
  personality: "There are no personalities.",
  summary: "How thoughts are summarised is the agent's own matter.",
  approvalsReviewer: "Questions are for people: nobody else reviews them."
}
