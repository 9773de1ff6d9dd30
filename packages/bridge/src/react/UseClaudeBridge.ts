/**
 * What a CopilotKit provider needs to talk to a bridge, and whether the bridge can be reached.
 */
import { useMemo, useState, useSyncExternalStore } from "react"
import { makeClient } from "../client/Client.ts"
import { Connection, type ConnectionState } from "./Connection.ts"

/** Which bridge, and which of its threads. */
export interface ClaudeBridgeOptions {
  /** Where the bridge is, such as `http://127.0.0.1:3210`, or below a path of another server. */
  readonly url: string
  /** Its token. Never put one into a page that others can load. */
  readonly token?: string | undefined
  /** Where CopilotKit's routes are below `url`, if the bridge was given a `basePath`. */
  readonly basePath?: string | undefined
  /** Default `default`. */
  readonly agentId?: string | undefined
  /** Default: a new one for as long as the component lives. */
  readonly threadId?: string | undefined
}

/** A bridge for a page. */
export interface ClaudeBridge extends ConnectionState {
  /** For the provider: `<CopilotKit {...bridge.provider}>`. */
  readonly provider: {
    readonly runtimeUrl: string
    readonly headers: Record<string, string>
    readonly agent: string
    readonly threadId: string
  }
  readonly runtimeUrl: string
  readonly headers: Record<string, string>
  readonly agentId: string
  readonly threadId: string
}

const connecting: ConnectionState = { status: "connecting", error: undefined }

/** What a CopilotKit provider needs to talk to a bridge, and whether the bridge can be reached. */
export const useClaudeBridge = ({
  agentId = "default",
  basePath = "",
  threadId,
  token,
  url
}: ClaudeBridgeOptions): ClaudeBridge => {
  const [ownThread] = useState(() => crypto.randomUUID())
  const connection = useMemo(() => new Connection(clientOf(url, token)), [url, token])
  const { error, status } = useSyncExternalStore(connection.subscribe, connection.value, () => connecting)
  const thread = threadId ?? ownThread
  return useMemo(() => {
    const runtimeUrl = `${url.replace(/\/$/, "")}${basePath}`
    const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` }
    const provider = { runtimeUrl, headers, agent: agentId, threadId: thread }
    return { provider, runtimeUrl, headers, agentId, threadId: thread, status, error }
  }, [url, token, basePath, agentId, thread, status, error])
}

/** The client of a bridge. */
export const clientOf = (url: string, token: string | undefined) =>
  makeClient({ url, ...(token !== undefined && { token }) })
