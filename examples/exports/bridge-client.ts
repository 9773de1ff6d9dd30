/** `@agentwire/bridge/client`: the management API of a bridge elsewhere, over `fetch`. */
import { ManagementError, makeClient } from "@agentwire/bridge/client"

// Typed calls. Another `fetch` can stand in, as here, where there is no bridge.
const client = makeClient({
  url: "http://127.0.0.1:3210",
  token: "sixteen-or-more-characters",
  fetch: async (url, { method }) =>
    `${method} ${url}` === "GET http://127.0.0.1:3210/api/sessions"
      ? Response.json({ sessions: [] })
      : Response.json({ error: { code: "SESSION_NOT_FOUND", message: "There is none." } }, { status: 404 })
})
console.log((await client.sessions.list()).sessions) // []

// What a call fails with.
try {
  await client.sessions.get("nobody")
} catch (error) {
  if (error instanceof ManagementError) console.log(error.status, error.code) // 404 SESSION_NOT_FOUND
}

// Streams reconnect by themselves, and go on where they were.
export const watch = async (threadId: string, signal: AbortSignal): Promise<void> => {
  for await (const frame of client.sessions.events(threadId, { signal })) console.log(frame)
}
