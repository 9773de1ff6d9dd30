/**
 * The messages of the dialect `claude-app-server`: JSON-RPC 2.0 with snake case, as a small server in front of Claude
 * speaks it that is described by its README. Names and shapes are from that; what it leaves open is said here, and in
 * `docs/claude-app-server.md`.
 */
import * as Schema from "effect/Schema"
import { JsonObject, known, open, optional } from "../wire/Open.ts"

/** How much an agent may do without asking. */
export const PermissionMode = Schema.Literals(["default", "acceptEdits", "bypassPermissions"])

/** How much an agent may do without asking. */
export type PermissionMode = typeof PermissionMode.Type

/** A turn of the past, or its end: `interrupted` where somebody stopped it. */
export const TurnStatus = known("in_progress", "completed", "interrupted", "failed")

const base = { id: Schema.String, created_at: Schema.String }

/** What a turn consists of: what is said and done, whole. */
export const Item = Schema.Union([
  open("ClaudeAppTextItem", { ...base, type: Schema.Literal("text"), text: Schema.String }),
  open("ClaudeAppToolCallItem", {
    ...base,
    type: Schema.Literal("tool_call"),
    tool_name: Schema.String,
    input: JsonObject
  }),
  open("ClaudeAppToolResultItem", {
    ...base,
    type: Schema.Literal("tool_result"),
    tool_call_id: Schema.String,
    output: Schema.String,
    is_error: Schema.Boolean
  }),
  /** A file that a call has written. */
  open("ClaudeAppFileChangeItem", {
    ...base,
    type: Schema.Literal("file_change"),
    tool_call_id: Schema.String,
    path: Schema.String
  }),
  /** What a command has printed. */
  open("ClaudeAppCommandOutputItem", {
    ...base,
    type: Schema.Literal("command_output"),
    tool_call_id: Schema.String,
    command: Schema.String,
    output: Schema.String,
    exit_code: optional(Schema.Finite)
  })
]).annotate({ identifier: "ClaudeAppItem" })

/** What a turn consists of. */
export type Item = typeof Item.Type

/** A turn as `thread/resume` gives it. */
export const Turn = open("ClaudeAppTurn", {
  turn_id: Schema.String,
  status: TurnStatus,
  content: optional(Schema.String),
  items: Schema.Array(Item)
})

/** A turn as `thread/resume` gives it. */
export type Turn = typeof Turn.Type

const thread = { thread_id: Schema.String }
const turn = { turn_id: Schema.String }

/** The requests of a client: what each takes, and what it is answered with. */
export const requests = {
  initialize: {
    params: open("ClaudeAppInitializeParams", {
      client: open({ name: Schema.String, version: optional(Schema.String) }),
      cwd: optional(Schema.String),
      permission_mode: optional(PermissionMode)
    }),
    result: open("ClaudeAppInitializeResult", {
      server: open({ name: Schema.String, version: Schema.String }),
      capabilities: JsonObject
    })
  },
  "thread/start": {
    params: open("ClaudeAppThreadStartParams", {
      cwd: optional(Schema.String),
      permission_mode: optional(PermissionMode)
    }),
    result: open("ClaudeAppThreadStartResult", {
      ...thread,
      created_at: Schema.String,
      /** The one that applies: a client may not choose one that asks less, unless the operator lets it. */
      permission_mode: optional(PermissionMode)
    })
  },
  "thread/resume": {
    params: open("ClaudeAppThreadResumeParams", thread),
    result: open("ClaudeAppThreadResumeResult", {
      ...thread,
      turns: Schema.Array(Turn),
      cwd: Schema.String,
      created_at: Schema.String
    })
  },
  "thread/fork": {
    params: open("ClaudeAppThreadForkParams", { ...thread, at_turn_id: optional(Schema.String) }),
    result: open("ClaudeAppThreadForkResult", { ...thread, forked_from: Schema.String, created_at: Schema.String })
  },
  "turn/start": {
    params: open("ClaudeAppTurnStartParams", { ...thread, content: Schema.String, model: optional(Schema.String) }),
    result: open("ClaudeAppTurnStartResult", turn)
  },
  "turn/steer": {
    params: open("ClaudeAppTurnSteerParams", { ...thread, content: Schema.String }),
    result: open("ClaudeAppTurnSteerResult", turn)
  },
  "turn/interrupt": {
    params: open("ClaudeAppTurnInterruptParams", thread),
    result: open("ClaudeAppTurnInterruptResult", { ...turn, status: TurnStatus })
  },
  "model/list": {
    params: open("ClaudeAppModelListParams", {}),
    result: open("ClaudeAppModelListResult", {
      models: Schema.Array(open({ id: Schema.String, name: Schema.String }))
    })
  },
  "skills/list": {
    params: open("ClaudeAppSkillsListParams", {}),
    result: open("ClaudeAppSkillsListResult", {
      skills: Schema.Array(open({ name: Schema.String, description: Schema.String, needs_approval: Schema.Boolean }))
    })
  },
  "app/list": {
    params: open("ClaudeAppAppListParams", {}),
    result: open("ClaudeAppAppListResult", { apps: Schema.Array(Schema.Unknown) })
  },
  "approval/respond": {
    params: open("ClaudeAppApprovalRespondParams", { request_id: Schema.String, approved: Schema.Boolean }),
    result: open("ClaudeAppApprovalRespondResult", {})
  }
} as const

/** The method of a request. */
export type RequestMethod = keyof typeof requests

/** What the request of a method takes. */
export type ParamsOf<M extends RequestMethod> = (typeof requests)[M]["params"]["Type"]

/** What the request of a method is answered with. */
export type ResultOf<M extends RequestMethod> = (typeof requests)[M]["result"]["Type"]

/** What the server tells: the params of each notification, by its method. */
export const notifications = {
  initialized: open("ClaudeAppInitialized", { server: Schema.String }),
  "turn/started": open("ClaudeAppTurnStarted", { ...thread, ...turn }),
  /** The next piece of a text, or of a thought. */
  "item/progress": open("ClaudeAppItemProgress", {
    ...thread,
    ...turn,
    item_id: Schema.String,
    delta: open({ type: Schema.Literals(["text", "thinking"]), text: Schema.String })
  }),
  "item/created": open("ClaudeAppItemCreated", { ...thread, ...turn, item: Item }),
  "approval/request": open("ClaudeAppApprovalRequest", {
    ...thread,
    ...turn,
    request_id: Schema.String,
    tool_name: Schema.String,
    description: Schema.String,
    input: JsonObject
  }),
  /** `items_count` is how many items were created in the turn. */
  "turn/completed": open("ClaudeAppTurnCompleted", {
    ...thread,
    ...turn,
    status: TurnStatus,
    items_count: Schema.Finite,
    completed_at: Schema.String
  }),
  /** The turn failed. `turn/completed` with the status `failed` follows. */
  "turn/error": open("ClaudeAppTurnError", {
    ...thread,
    ...turn,
    error: open({ code: Schema.String, message: Schema.String })
  })
} as const

/** The method of a notification. */
export type NotificationMethod = keyof typeof notifications

/** A notification: its method, and what it says. */
export type Notification = {
  readonly [M in NotificationMethod]: { readonly method: M; readonly params: (typeof notifications)[M]["Type"] }
}[NotificationMethod]
