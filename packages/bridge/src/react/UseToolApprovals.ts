/**
 * The questions of an agent for the person at the page, live, and the answers.
 */
import { useCallback, useMemo, useSyncExternalStore } from "react"
import { type Answer, ApprovalFeed, type ApprovalState, noApprovals } from "./ApprovalFeed.ts"
import { type ClaudeBridgeOptions, clientOf } from "./UseClaudeBridge.ts"

/** Which thread of which bridge. */
export interface ToolApprovalsOptions extends Pick<ClaudeBridgeOptions, "url" | "token"> {
  readonly threadId: string
}

/** A yes, and what goes with it. */
export type ApproveOptions = Omit<Extract<Answer, { readonly behavior: "allow" }>, "behavior">

/** The questions that wait, and what answers them. Answering never throws: it returns whether it succeeded. */
export interface ToolApprovals extends ApprovalState {
  /** Says yes; with `updatedInput` the tool runs with another input, with `always` it is not asked again. */
  readonly approve: (requestId: string, options?: ApproveOptions) => Promise<boolean>
  /** Says no; the model reads the message, and with `interrupt` its turn ends. */
  readonly deny: (requestId: string, message?: string, options?: { readonly interrupt?: boolean }) => Promise<boolean>
}

/** The questions of an agent that wait, live, and the answers. */
export const useToolApprovals = ({ threadId, token, url }: ToolApprovalsOptions): ToolApprovals => {
  const feed = useMemo(() => new ApprovalFeed(clientOf(url, token), threadId), [url, token, threadId])
  const state = useSyncExternalStore(feed.subscribe, feed.value, () => noApprovals)
  const approve: ToolApprovals["approve"] = useCallback(
    (requestId, options = {}) => feed.answer(requestId, { ...options, behavior: "allow" }),
    [feed]
  )
  const deny: ToolApprovals["deny"] = useCallback(
    (requestId, message, options = {}) =>
      feed.answer(requestId, { ...options, behavior: "deny", ...(message !== undefined && { message }) }),
    [feed]
  )
  return useMemo(() => ({ ...state, approve, deny }), [state, approve, deny])
}
