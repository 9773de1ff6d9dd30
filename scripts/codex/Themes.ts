/**
 * Which file a definition goes to. A method belongs to the theme of its name, and so does what only its theme uses.
 * What several themes use is in layers below them, so that no two files import each other.
 */
import { type Bundle, methodKinds } from "./Bundle.ts"
import { type Definition, namesOf } from "./Definitions.ts"

/** Methods that begin so have a file of their own; of two, the longer one counts. All others go by their first word. */
const prefixes: Readonly<Record<string, string>> = {
  "thread/attachment": "ThreadAttachment",
  "thread/attachmentOwner": "ThreadAttachment",
  "thread/backgroundTerminals": "ThreadTerminal",
  "thread/goal": "ThreadGoal",
  "thread/items": "ThreadHistory",
  "thread/turns": "ThreadHistory",
  "thread/timeline": "ThreadHistory",
  "thread/list": "ThreadList",
  "thread/loaded": "ThreadList",
  "thread/search": "ThreadList",
  "thread/searchOccurrences": "ThreadList",
  "thread/queue": "ThreadQueue",
  "thread/realtime": "ThreadRealtime",
  "thread/settings": "ThreadSettings",
  "thread/start": "ThreadStart",
  "thread/resume": "ThreadStart",
  "thread/fork": "ThreadStart",
  "thread/archive": "ThreadLifecycle",
  "thread/archived": "ThreadLifecycle",
  "thread/unarchive": "ThreadLifecycle",
  "thread/unarchived": "ThreadLifecycle",
  "thread/delete": "ThreadLifecycle",
  "thread/deleted": "ThreadLifecycle",
  "thread/revert": "ThreadLifecycle",
  "thread/reverted": "ThreadLifecycle",
  "thread/unsubscribe": "ThreadLifecycle",
  "thread/started": "ThreadLifecycle",
  "thread/closed": "ThreadLifecycle",
  "thread/read": "ThreadHistory",
  "thread/inject_items": "ThreadHistory",
  "thread/sample": "ThreadSample",
  "thread/prediction": "ThreadSample",
  "thread/memory": "ThreadMetadata",
  "thread/memoryMode": "ThreadMetadata",
  "thread/metadata": "ThreadMetadata",
  "thread/name": "ThreadMetadata",
  "thread/project": "ThreadMetadata",
  "thread/readState": "ThreadMetadata",
  "thread/section": "ThreadSection",
  threadSection: "ThreadSection",
  "item/tool": "ItemRequest",
  "item/commandExecution/requestApproval": "ItemRequest",
  "item/fileChange/requestApproval": "ItemRequest",
  "item/permissions": "ItemRequest",
  "item/autoApprovalReview": "AutoApprovalReview",
  autoApprovalReview: "AutoApprovalReview",
  "mcpServer/elicitation": "McpElicitation",
  mcpServerStatus: "McpServerStatus",
  configRequirements: "ConfigRequirements",
  "plugin/share": "PluginShare",
  "account/login": "AccountLogin",
  "account/bedrock": "AccountLogin",
  "account/gcp": "AccountLogin",
  "account/gatewayOAuth": "AccountLogin",
  "account/rateLimits": "AccountUsage",
  "account/rateLimitResetCredit": "AccountUsage",
  "account/usage": "AccountUsage",
  error: "Notice",
  warning: "Notice",
  guardianWarning: "Notice",
  deprecationNotice: "Notice",
  configWarning: "Notice",
  serverRequest: "Notice",
  windows: "Windows",
  windowsSandbox: "Windows",
  memory: "Memory",
  rollout: "Memory",
  rawResponse: "RawResponse",
  rawResponseItem: "RawResponse",
  modelProvider: "Model",
  hooks: "Hook",
  applyPatchApproval: "Legacy",
  execCommandApproval: "Legacy",
  getConversationSummary: "Legacy",
  gitDiffToRemote: "Legacy",
  getAuthStatus: "Legacy",
  initialize: "Server",
  initialized: "Server",
  attestation: "Server",
  currentTime: "Server",
  mock: "Server",
  feedback: "Server"
}

/** The layers of what several themes share, lowest first: each holds what its definition reaches and no lower one does. */
const layers: Readonly<Record<string, string>> = {
  AbsolutePathBuf: "Path",
  LegacyAppPathString: "Path",
  AskForApproval: "Setting",
  ApprovalsReviewer: "Setting",
  CollaborationMode: "Setting",
  MultiAgentMode: "Setting",
  Personality: "Setting",
  ReasoningSummary: "Setting",
  SandboxMode: "Setting",
  SandboxPolicy: "Setting",
  TurnEnvironmentParams: "Setting",
  RequestPermissionProfile: "Permission",
  NetworkPolicyAmendment: "Permission",
  NetworkApprovalProtocol: "Permission",
  ThreadRealtimeItem: "RealtimeItem",
  UserInput: "UserInput",
  CommandAction: "ItemPart",
  FileUpdateChange: "ItemPart",
  McpToolCallResult: "ItemPart",
  McpToolCallAppContext: "ItemPart",
  DynamicToolCallOutputContentItem: "ItemPart",
  CollabAgentState: "ItemPart",
  MemoryCitation: "ItemPart",
  AsyncUserInputQuestion: "ItemPart",
  FunctionCallOutputBody: "ItemPart",
  WebSearchAction: "ItemPart",
  ImageGenerationInputImage: "ItemPart",
  ThreadItem: "ThreadItem",
  Turn: "TurnState",
  Thread: "ThreadState",
  ResponseItem: "ResponseItem",
  PluginSummary: "PluginSummary"
}

/** What several themes share and no layer holds. */
const sharedFile = "Shared"

/** The theme of a method: the name of its file. */
export const themeOf = (method: string): string => {
  const words = method.split("/")
  for (let length = words.length; length > 0; length--) {
    const prefix = words.slice(0, length).join("/")
    if (Object.hasOwn(prefixes, prefix)) return prefixes[prefix] ?? ""
  }
  const [first = ""] = words
  return first.slice(0, 1).toUpperCase() + first.slice(1)
}

/** The file of every definition. */
export const filesOf = (bundle: Bundle, definitions: ReadonlyMap<string, Definition>): ReadonlyMap<string, string> => {
  const themes = new Map<string, Set<string>>()
  for (const method of methodKinds.flatMap((kind) => bundle.methods[kind]))
    for (const name of namesOf(method).flatMap((each) => [...reachedBy(each, definitions)]))
      themes.set(name, (themes.get(name) ?? new Set()).add(themeOf(method.name)))
  const files = new Map<string, string>()
  const shared = new Set<string>()
  for (const [name, [theme = "", ...others]] of themes) {
    if (others.length === 0) files.set(name, theme)
    else shared.add(name)
  }
  for (const [root, file] of [...Object.entries(layers), ...[...shared].map((name) => [name, sharedFile] as const)])
    if (shared.has(root)) for (const name of reachedBy(root, definitions)) if (!files.has(name)) files.set(name, file)
  return files
}

const reachedBy = (
  name: string,
  definitions: ReadonlyMap<string, Definition>,
  seen = new Set<string>()
): ReadonlySet<string> => {
  if (seen.has(name)) return seen
  seen.add(name)
  for (const ref of definitions.get(name)?.refs ?? []) reachedBy(ref, definitions, seen)
  return seen
}
