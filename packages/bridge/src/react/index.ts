/** Hooks for React: a bridge behind a CopilotKit provider, and the questions of its agents. Runs in browsers. */
export { ManagementError } from "../client/ManagementError.ts"
export type { Approval } from "../embed/Approval.ts"
export type { ApprovalState, ToolApproval } from "./ApprovalFeed.ts"
export type { ConnectionState } from "./Connection.ts"
export { type ClaudeBridge, type ClaudeBridgeOptions, useClaudeBridge } from "./UseClaudeBridge.ts"
export {
  type ApproveOptions,
  type ToolApprovals,
  type ToolApprovalsOptions,
  useToolApprovals
} from "./UseToolApprovals.ts"
