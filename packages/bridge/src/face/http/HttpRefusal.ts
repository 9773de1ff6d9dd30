/**
 * A request that is refused: the status, a stable code, and words that say what to do.
 *
 * The body is the same everywhere, `{"error": {"code", "message", "cause"?}}`. It never repeats what was sent, so that a token
 * or a prompt cannot come back in an error page or a log.
 */
import * as Schema from "effect/Schema"

/** Every code a refusal can have, with its status. */
export const refusalStatus = {
  /** The request line or the `Host` header cannot be read. */
  BAD_REQUEST: 400,
  /** The body is not JSON. */
  BAD_JSON: 400,
  /** The body is JSON that nests deeper than the limit. */
  TOO_DEEP: 400,
  /** The body is JSON, but not what the route takes; the message says where. */
  BAD_INPUT: 400,
  /** The thread's id cannot be used. */
  BAD_THREAD_ID: 400,
  /** `before` is not what a page of this list said. */
  BAD_CURSOR: 400,
  /** The token is missing or wrong. */
  UNAUTHORIZED: 401,
  /** The `Host` header names another server: a page may have rebound its name to this address. */
  HOST_REFUSED: 403,
  /** The agent may not work in the folder that was asked for; `cause` says why. */
  FOLDER_REFUSED: 403,
  /** The owner of the bridge does not let callers choose this option of a session. */
  OPTION_REFUSED: 403,
  /** A web page that is not on the list of allowed origins asks. */
  ORIGIN_REFUSED: 403,
  /** The server has no token and was reached from another machine. */
  LOOPBACK_ONLY: 403,
  /** The gateway has no such method. */
  UNKNOWN_METHOD: 404,
  /** There is no such route. */
  NOT_FOUND: 404,
  /** There is no agent with that id. */
  AGENT_NOT_FOUND: 404,
  /** The thread has no session. */
  SESSION_NOT_FOUND: 404,
  /** The conversation has no message with that id. */
  MESSAGE_NOT_FOUND: 404,
  /** The thread has no branch with that number. */
  BRANCH_NOT_FOUND: 404,
  /** There is no workspace with that id. */
  WORKSPACE_NOT_FOUND: 404,
  /** There is no such extension. */
  EXTENSION_NOT_FOUND: 404,
  /** The extension has no such method. */
  EXTENSION_METHOD_UNKNOWN: 404,
  /** The extension has no such page. */
  PAGE_NOT_FOUND: 404,
  /** No question and no call with that id waits for an answer. */
  NOTHING_PENDING: 404,
  /** The route takes another method. */
  METHOD_NOT_ALLOWED: 405,
  /** The body did not arrive in time. */
  BODY_TIMEOUT: 408,
  /** The headers did not arrive in time. */
  REQUEST_TIMEOUT: 408,
  /** A run is open on this thread, and the thread takes one at a time. */
  THREAD_BUSY: 409,
  /** No turn is open that anything could be said to, it is another one than was meant, or it is ending. */
  NOTHING_TO_STEER: 409,
  /** A thread with that id exists already. */
  THREAD_EXISTS: 409,
  /** Another bridge that is alive has the thread. */
  THREAD_ELSEWHERE: 409,
  /** The agent does not run, so it cannot be asked. */
  AGENT_NOT_RUNNING: 409,
  /** The agent cannot go back to that message. */
  BRANCH_UNAVAILABLE: 409,
  /** The session keeps no checkpoints of files, so nothing can be put back. */
  CHECKPOINTING_OFF: 409,
  /** The body is larger than the limit. */
  BODY_TOO_LARGE: 413,
  /** The body is JSON with more values than the limit. */
  TOO_MANY_VALUES: 413,
  /** A message in the body, or all that it has besides messages, is larger than the limits. */
  PART_TOO_LARGE: 413,
  /** A run tells the agent more at once than the limits allow. */
  TOO_MUCH_NEW: 413,
  /** The body is not declared as JSON, or is compressed. */
  UNSUPPORTED_MEDIA_TYPE: 415,
  /** The agent said no; the message is its own. */
  AGENT_REFUSED: 422,
  /** The address and the headers are too long, or too many. */
  HEADERS_TOO_LARGE: 431,
  /** Something broke inside; the log says what. */
  INTERNAL: 500,
  /** The method of the envelope is known, and not served here. */
  NOT_SERVED: 501,
  /** The MCP server is a package of its own, and it is not installed. */
  MCP_NOT_INSTALLED: 501,
  /** The process that has the sessions is of a version that cannot do this. */
  RUNTIME_TOO_OLD: 501,
  /** This version of the agent does not know the request. */
  AGENT_UNSUPPORTED: 501,
  /** The agent could not be started; `cause` says why. */
  START_FAILED: 502,
  /** The extension failed, or answered what cannot be passed on. */
  EXTENSION_FAILED: 502,
  /** The agent answered something nobody understands. */
  AGENT_BAD_ANSWER: 502,
  /** What the agent has kept of a conversation by itself cannot be read; `cause` says why. */
  TRANSCRIPT_FAILED: 502,
  /** There is no room for another session. */
  SESSION_LIMIT: 503,
  /** What is kept of the thread cannot be read or written; `cause` says why. */
  STORE_FAILED: 503,
  /** Other large bodies are being read, and there was no room for this one in time. */
  TOO_MANY_BODIES: 503,
  /** The process that has the sessions cannot be reached now; `cause` says why. */
  RUNTIME_UNREACHABLE: 503,
  /** The extension does not run. */
  EXTENSION_UNAVAILABLE: 503,
  /** The extension has too much to do. */
  EXTENSION_BUSY: 503,
  /** The bridge is closing. */
  CLOSING: 503,
  /** The agent did not answer in time. */
  AGENT_TIMEOUT: 504,
  /** The extension did not answer in time. */
  EXTENSION_TIMEOUT: 504
} as const satisfies Record<string, number>

/** A code of a refusal. */
export type RefusalCode = keyof typeof refusalStatus

/** The JSON of a refusal. */
export interface RefusalBody {
  readonly error: { readonly code: RefusalCode; readonly message: string; readonly cause?: string }
}

/** A request that is refused. */
export class HttpRefusal extends Schema.TaggedError<HttpRefusal>()("HttpRefusal", {
  code: Schema.Literals(Object.keys(refusalStatus) as ReadonlyArray<RefusalCode>),
  message: Schema.String,
  /** The stable code of what went wrong below, where there is one. */
  why: Schema.optionalKey(Schema.String),
  /** The methods a route takes, where the method was the problem. */
  allow: Schema.optionalKey(Schema.String)
}) {
  /** The HTTP status. */
  get status(): number {
    return refusalStatus[this.code]
  }
  /** The JSON body. */
  get body(): RefusalBody {
    const { code, message, why } = this
    return { error: { code, message: presentable(message), ...(why !== undefined && { cause: why }) } }
  }
}

/** The longest message. Some name a key of the body, or repeat what the agent said. */
const maxMessageLength = 1000

/** A text that does no harm where it is shown or logged: short, and without what moves a cursor or ends a line. */
const presentable = (text: string): string => {
  const plain = text.slice(0, maxMessageLength).replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, " ")
  return text.length > maxMessageLength ? `${plain.slice(0, -1)}…` : plain
}

/** A refusal of a code. */
export const refuse = (code: RefusalCode, message: string): HttpRefusal => new HttpRefusal({ code, message })
