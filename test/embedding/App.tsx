import { useClaudeBridge, useToolApprovals } from "@agentwire/bridge/react"
import { CopilotKit } from "@copilotkit/react-core"

/** Your application, with `useClaudeBridge` and `useToolApprovals`. */
export const App = (props: { readonly url: string; readonly token: string; readonly threadId?: string }) => {
  const { error, provider, status, threadId } = useClaudeBridge(props)
  return (
    <CopilotKit {...provider}>
      <p role="status">{error === undefined ? status : `${status}: ${error.message}`}</p>
      <Approvals url={props.url} token={props.token} threadId={threadId} />
    </CopilotKit>
  )
}

const Approvals = (props: { readonly url: string; readonly token: string; readonly threadId: string }) => {
  const { approvals, approve, deny } = useToolApprovals(props)
  return approvals.map(({ error, input, requestId, toolName }) => (
    <section key={requestId}>
      <h2>{toolName}</h2>
      <pre>{JSON.stringify(input, null, 2)}</pre>
      <button type="button" onClick={() => approve(requestId)}>
        Allow
      </button>
      <button type="button" onClick={() => approve(requestId, { always: true })}>
        Always allow
      </button>
      <button type="button" onClick={() => deny(requestId, "The person said no.")}>
        Deny
      </button>
      {error && <p role="alert">{error.message}</p>}
    </section>
  ))
}
