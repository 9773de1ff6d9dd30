/** The doors of a bridge besides runs: what waits in a thread, what it does, and the ways to stop it. */
import { type Client as Management, type ManagementError, makeClient } from "@agentwire/bridge/client"
import { headers, type Place } from "../OnBridge.ts"
import { until } from "./Waiting.ts"

const token = headers.Authorization.slice("Bearer ".length)

/** The management API of a bridge. */
export const managementOf = ({ url }: Pick<Place, "url">): Management => makeClient({ url, token })

/** Something that waits, with whatever the API says of it. */
export type Waiting = Readonly<Record<string, unknown>>

/** What waits for an answer in a thread: everything the API says, also what its types do not know. */
export const pendingIn = async (place: Pick<Place, "url">, threadId: string): Promise<ReadonlyArray<Waiting>> => {
  const { approvals } = await managementOf(place).approvals.list(threadId)
  return approvals as ReadonlyArray<object> as ReadonlyArray<Waiting>
}

/** The ways to stop a thread from outside, and what each says. */
export const stops = {
  /** CopilotKit's request. */
  copilotkit: async ({ kit }: Pick<Place, "kit" | "url">, threadId: string): Promise<unknown> => {
    const response = await fetch(`${kit}/stop/${threadId}`, { method: "POST", headers })
    return response.json()
  },
  /** The management API's. */
  management: (place: Pick<Place, "kit" | "url">, threadId: string): Promise<unknown> =>
    managementOf(place).sessions.interrupt(threadId)
} as const

/** Waits until a thread does something. One that nobody knows yet does nothing. */
export const untilStatus = (
  place: Pick<Place, "url">,
  threadId: string,
  ...wanted: ReadonlyArray<string>
): Promise<void> =>
  until(`${threadId} is ${wanted.join(" or ")}`, async () => {
    const { sessions } = await managementOf(place).sessions.list()
    return sessions.some((session) => session.threadId === threadId && wanted.includes(session.status))
  })

/** The code of a refusal of the management API; `done` when there was none. */
export const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "done",
    ({ code }: ManagementError) => code
  )

/** Whether the CLI of a thread was told to stop what it does. */
export const wasInterrupted = async (place: Pick<Place, "url">, threadId: string): Promise<boolean> => {
  const { sessions } = managementOf(place)
  const { wire } = await sessions.get(threadId)
  for await (const { data, event, seq } of sessions.wire(threadId)) {
    if (event === "message" && data.from === "host" && data.line.includes('"subtype":"interrupt"')) return true
    if (seq >= wire.next - 1) return false
  }
  return false
}
