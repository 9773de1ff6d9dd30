/** What a thread does, as `thread/status/changed` says it: at work, and whom it waits for. */
import type { ThreadActiveFlag, ThreadStatus } from "../codex/generated/ThreadState.ts"
import type { Lane } from "../model/Event.ts"
import type { Request } from "../model/Request.ts"
import type { AppServerCursor } from "./Cursor.ts"
import { type Draft, placeOf, tell } from "./Draft.ts"

/** Whom a question waits for; a tool of the application is nobody (docs/wire/codex.md). */
const flags: { readonly [K in Request["kind"]]: ThreadActiveFlag | undefined } = {
  permission: "waitingOnApproval",
  plan: "waitingOnApproval",
  form: "waitingOnApproval",
  choice: "waitingOnUserInput",
  page_tool: undefined
}

/** What the thread of a lane does. */
export const statusOf = (cursor: AppServerCursor, lane: Lane = null): ThreadStatus => {
  if (placeOf(cursor, lane) === undefined) return { type: "idle" }
  const open = [...cursor.requests.values()].flatMap((each) => {
    const flag = each.lane === lane ? flags[each.request.kind] : undefined
    return flag === undefined ? [] : [flag]
  })
  return { type: "active", activeFlags: [...new Set(open)] }
}

/** Tells what the thread of a lane does now. */
export const statusChanged = (draft: Draft, lane: Lane): void => {
  const place = placeOf(draft.cursor, lane)
  if (place !== undefined)
    tell(draft, "thread/status/changed", { threadId: place.thread, status: statusOf(draft.cursor, lane) })
}
