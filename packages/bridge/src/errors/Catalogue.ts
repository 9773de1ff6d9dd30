/**
 * Every stable code of the program, by where it appears. `docs/errors.md` is made from it, and a test looks for codes in
 * the sources that are missing here.
 */
import type { ErrorArea } from "./Explained.ts"
import { extensionErrors, extensionFileErrors } from "./ExtensionErrors.ts"
import * as Link from "./LinkErrorWords.ts"
import { clientErrors, gatewayClientErrors, refusals } from "./RequestErrors.ts"
import { agentRunErrors, bridgeRunErrors, startupErrors, subagentErrors } from "./RunErrors.ts"
import * as Start from "./StartErrors.ts"
import { transcriptErrors } from "./TranscriptErrors.ts"

/** Every stable code, by where it appears. */
export const errorAreas: ReadonlyArray<ErrorArea> = [
  {
    title: "Requests that are refused",
    where:
      'The HTTP answer is `{"error": {"code", "message", "cause"?}}` with the status beside the code; the gateway answers `{"ok": false, "error", "code", "cause"?}`.',
    codes: refusals
  },
  {
    title: "The typed client",
    where: "`ManagementError.code` of `@agentwire/bridge/client`, besides the codes above.",
    codes: clientErrors
  },
  {
    title: "The client of the gateway",
    where: "`GatewayError.code` of `@agentwire/bridge/gateway-client`, besides the codes of requests.",
    codes: gatewayClientErrors
  },
  {
    title: "Runs that the bridge ends",
    where: "`RUN_ERROR.code`. A run whose agent does not start has a code of the section on starting agents.",
    codes: bridgeRunErrors
  },
  {
    title: "Runs that the agent ends",
    where: "`RUN_ERROR.code`. The words are the agent's; newer versions may have others.",
    codes: agentRunErrors
  },
  {
    title: "Agents that refuse to begin",
    where: "`RUN_ERROR.code`, and the agent's own reason (Claude Code 2.1.325).",
    codes: startupErrors
  },
  { title: "Sub-agents", where: "`SUBAGENT_ERROR.code`.", codes: subagentErrors },
  {
    title: "Starting an agent",
    where: "`LaunchFailed`, `StartFailed`, `RUN_ERROR.code`, and `cause` of `START_FAILED`.",
    codes: Start.launchErrors
  },
  {
    title: "Asking an agent",
    where: "`ControlFailed`. Over HTTP they are the refusals that begin with `AGENT_`.",
    codes: Start.controlErrors
  },
  { title: "Calling tools of the application", where: "`ToolCallFailed`.", codes: Start.toolErrors },
  { title: "Opening a session", where: "`SessionRefused`.", codes: Start.sessionErrors },
  {
    title: "Working folders",
    where: "`WorkingFolderRefused`, `SessionRefused`, `LaunchFailed`, and `cause` of `FOLDER_REFUSED`.",
    codes: Start.folderErrors
  },
  { title: "Workspaces", where: "`WorkspaceRefused`.", codes: Start.workspaceErrors },
  {
    title: "Files of sub-agents",
    where: "`AgentFileInvalid` and `AgentUnwritable` of `@agentwire/protocol/agents`.",
    codes: Start.agentFileErrors
  },
  {
    title: "The Bridge class",
    where: "`BridgeError`, besides the codes of what failed below.",
    codes: Start.embedErrors
  },
  { title: "Starting the server", where: "`HttpServerFailed`.", codes: Start.listenErrors },
  {
    title: "Clients of Codex's app-server",
    where: "`error.data.code` of a response, besides the codes of requests and sessions; `UnixSocketFailed`.",
    codes: Start.appServerErrors
  },
  { title: "Connections", where: "The log of the server.", codes: Start.connectionErrors },
  {
    title: "A runtime and its gateways",
    where: "`LinkRefused` of `@agentwire/bridge/link`, and the log of a gateway.",
    codes: Link.linkErrors
  },
  {
    title: "A runtime that cannot be reached",
    where: "`Unreachable`, `SessionRefused`, `LogFailed`, and `cause` of `RUNTIME_UNREACHABLE`.",
    codes: Link.unreachableErrors
  },
  {
    title: "What is kept",
    where: "`StoreFailed`, `SessionRefused`, `LogFailed`, `RUN_ERROR.code`, and `cause` of `STORE_FAILED`.",
    codes: Start.databaseErrors
  },
  {
    title: "Who writes a thread",
    where: "`ThreadElsewhere`, `ThreadMissing`, `ClaimLost`, and where the codes above are.",
    codes: Start.claimErrors
  },
  { title: "Sessions that the provider kept", where: "`TranscriptFailed`.", codes: transcriptErrors },
  { title: "Extensions", where: "`ExtensionFailed`, and `lastError` of `GET /extensions`.", codes: extensionErrors },
  { title: "Files of extensions", where: "`ExtensionFileInvalid`.", codes: extensionFileErrors },
  { title: "Policy files", where: "`PolicyInvalid`.", codes: Start.policyErrors },
  {
    title: "Lines of the wire",
    where: "`error.code` of what `decodeLine` of `@agentwire/protocol/claude` calls `Invalid`.",
    codes: Start.lineErrors
  }
]
