/** `@agentwire/bridge/react`: hooks for pages. docs/embedding.md has a whole component. */
import { ManagementError, useClaudeBridge, useToolApprovals } from "@agentwire/bridge/react"

const place = { url: "http://127.0.0.1:3210", token: "given-at-run-time-by-the-person" }

/** What a CopilotKit provider needs, and whether the bridge can be reached. */
export const useProvider = () => {
  const { error, provider, status, threadId } = useClaudeBridge(place)
  return { provider, threadId, words: error instanceof ManagementError ? error.code : status }
}

/** The questions of a thread that wait, each with what answers it. */
export const useQuestions = (threadId: string) => {
  const { approvals, approve, deny } = useToolApprovals({ ...place, threadId })
  return approvals.map(({ requestId, toolName }) => ({
    toolName,
    yes: () => approve(requestId, { always: true }),
    no: () => deny(requestId, "The person said no.")
  }))
}
