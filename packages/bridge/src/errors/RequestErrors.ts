/**
 * Why requests are refused, in words.
 */
import type { RefusalCode } from "../face/http/HttpRefusal.ts"
import { type Explained, explained } from "./Explained.ts"
import { extensionErrors } from "./ExtensionErrors.ts"

/** Every refusal of the HTTP server. */
export const refusals: { readonly [C in RefusalCode]: Explained } = {
  BAD_REQUEST: explained(
    "The request line, a header or the path cannot be read, or the body ended early.",
    "Send well-formed HTTP/1.1, percent-encode what is in a path, and name the server in `Host`."
  ),
  BAD_JSON: explained("The body is not JSON in UTF-8.", "Check the body with a JSON parser."),
  TOO_DEEP: explained("The JSON nests deeper than the limit.", "Flatten it; 200 levels are allowed by default."),
  BAD_INPUT: explained(
    "The body, the query or a header is not what the route takes. The message says where.",
    "Compare it with the route in `/api/openapi.json`, or with the method in docs/gateway.md. Keys that are not named there are refused."
  ),
  BAD_THREAD_ID: explained(
    "The thread id is empty, too long, or has control characters.",
    "Use 1 to 256 printable characters."
  ),
  BAD_CURSOR: explained(
    "`before` is not what a page of this list said, or what it said is not there any more.",
    "Send the `before` of an answer as it is, or ask without it for the first page."
  ),
  UNAUTHORIZED: explained(
    "The token is missing or wrong.",
    "Send `Authorization: Bearer TOKEN` with the token that `agentwire serve` printed; for a WebSocket of a web page see docs/gateway.md."
  ),
  HOST_REFUSED: explained(
    "The `Host` header names another server. A web page may have pointed its own name at this address.",
    "Use the address the server printed, or allow the name you use."
  ),
  FOLDER_REFUSED: explained(
    "The agent may not work in the folder that was asked for. `cause` has a code of the section on folders.",
    "Choose a folder below a root of the bridge, or add a root."
  ),
  OPTION_REFUSED: explained(
    "Callers may not choose this option of a session. The message names it.",
    "Leave it out, or have the owner of the bridge allow it by name: `--session-options`, `sessionOptions`."
  ),
  ORIGIN_REFUSED: explained(
    "The request comes from a web page whose origin is not allowed.",
    "Allow the origin of your page when you start the server."
  ),
  LOOPBACK_ONLY: explained(
    "The server has no token and was reached from another machine.",
    "Start it with a token, or use it from the same machine."
  ),
  UNKNOWN_METHOD: explained(
    "The gateway has no method of that name, and no extension has.",
    "See docs/gateway.md for all methods; the message lists them."
  ),
  NOT_FOUND: explained("There is no such route.", "See `/api/openapi.json` for all routes."),
  AGENT_NOT_FOUND: explained("There is no agent with that id.", "Ask `GET /info` for the id, or leave it `default`."),
  SESSION_NOT_FOUND: explained(
    "The thread has no session.",
    "Make one with `POST /api/sessions`, or begin a run on the thread."
  ),
  MESSAGE_NOT_FOUND: explained(
    "No message with that id was said in this thread. For `rewind-files`: no prompt, in this conversation.",
    "Use the id that the message has in AG-UI, or that `POST …/messages` answered."
  ),
  BRANCH_NOT_FOUND: explained("The thread has no branch with that number.", "See `GET …/branches`; the first is 0."),
  WORKSPACE_NOT_FOUND: explained(
    "There is no workspace with that id, or its folder is not under a root of the bridge.",
    "See `GET /api/workspaces`; `POST /api/workspaces` finds or makes that of a folder."
  ),
  NOTHING_PENDING: explained(
    "No question or call with that id is waiting. It was answered, it expired, or it never existed.",
    "List what waits with `GET …/approvals`."
  ),
  METHOD_NOT_ALLOWED: explained("The route takes another method.", "Use one of those in the header `Allow`."),
  BODY_TIMEOUT: explained("The body did not arrive in time.", "Send it faster; 30 seconds are allowed by default."),
  REQUEST_TIMEOUT: explained(
    "The headers did not arrive in time.",
    "Send them faster; 10 seconds are allowed by default."
  ),
  THREAD_BUSY: explained(
    "A run is open on the thread, and the thread takes one at a time.",
    "Wait for the end of the run, stop it with `POST …/interrupt`, say it in the run with `POST …/steer`, or start the bridge with `busy: queue` or `busy: steer`."
  ),
  NOTHING_TO_STEER: explained(
    "No turn is open that anything could be said to, another one is open than was meant, or it is ending. The agent was told nothing.",
    "Send the words as a message: `POST …/messages`."
  ),
  THREAD_EXISTS: explained(
    "A thread with that id exists already; when it is not in the list, in a folder that is not below a root of this bridge.",
    "Choose another id, or use the existing thread."
  ),
  THREAD_ELSEWHERE: explained(
    "Another bridge that is alive has the thread. All others can be used.",
    "Use the thread there, or end that bridge; the message names its process."
  ),
  AGENT_NOT_RUNNING: explained(
    "The agent is not running, so it cannot be asked.",
    "Start it with `POST …/start`, or send a message."
  ),
  BRANCH_UNAVAILABLE: explained(
    "The agent cannot go back to that message: it was compacted since, its transcript is gone, or the agent never said where it is.",
    "Go back to a later message, or begin a new conversation. Nothing has changed."
  ),
  CHECKPOINTING_OFF: explained(
    "The session keeps no checkpoints of files, so nothing can be put back.",
    "Make a session with the option `checkpointing`."
  ),
  BODY_TOO_LARGE: explained(
    "The body is larger than the limit.",
    "Send less, or allow more: 50 MB are allowed by default (`--max-body`, `limits.maxBodyBytes`)."
  ),
  TOO_MANY_VALUES: explained(
    "The body is JSON with more values (texts, numbers, lists and objects, however deep) than the limit.",
    "Send less, or what is large as one text; 500,000 values are allowed by default (`--max-values`, `limits.maxValues`)."
  ),
  PART_TOO_LARGE: explained(
    "One message in the body, or all that the body has besides messages (state, tools, context), is larger than the limits: 10,000,000 characters or 20,000 values by default.",
    "Say less in one message, or keep large things out of the state; `--max-part` and `--max-part-values` (`limits.maxPartLength`, `limits.maxPartValues`) allow more, and others then wait longer."
  ),
  TOO_MUCH_NEW: explained(
    "The run tells the agent more at once than the limits allow: messages after the last thing it said, instructions, context and state. By default these are 1,000 messages, 4,000,000 characters of text, and 10,000,000 with attachments.",
    "Say it in several runs, or allow more (`--max-new`, `--max-new-text`, `--max-new-size`; `limits.maxNewMessages` and so on)."
  ),
  UNSUPPORTED_MEDIA_TYPE: explained(
    "The body is not declared as JSON, or it is compressed.",
    "Send `Content-Type: application/json` and no `Content-Encoding`."
  ),
  AGENT_REFUSED: explained(
    "The agent said no to the request. The message is its own.",
    "Read the message. A permission mode may need a flag at the start; files can be restored only with checkpoints."
  ),
  HEADERS_TOO_LARGE: explained(
    "The address and the headers are too long, or too many.",
    "Send fewer and shorter ones."
  ),
  INTERNAL: explained("Something broke inside the server.", "Read the server's log, and report it as a bug."),
  NOT_SERVED: explained(
    "CopilotKit knows the method of the envelope, but this server does not serve it.",
    "Do without it; `GET /info` announces what is served."
  ),
  MCP_NOT_INSTALLED: explained(
    "MCP clients are served with `@modelcontextprotocol/sdk`, which is not installed beside agentwire.",
    "Run `npm install @modelcontextprotocol/sdk` where agentwire is installed, and start the bridge again."
  ),
  AGENT_UNSUPPORTED: explained(
    "This version of the agent does not know the request.",
    "Use a newer Claude Code; docs/wire/claude-code.md says which version answers what."
  ),
  START_FAILED: explained(
    "The agent could not be started. `cause` has a code of the section on starting agents.",
    "Look the cause up. `agentwire doctor` checks the installation."
  ),
  AGENT_BAD_ANSWER: explained(
    "The answer of the agent does not have the expected shape.",
    "Update agentwire; `agentwire drift` shows what is new on the wire."
  ),
  TRANSCRIPT_FAILED: explained(
    "What the agent has kept of a conversation by itself cannot be read.",
    "`cause` says why: see “Sessions that the provider kept”."
  ),
  SESSION_LIMIT: explained(
    "All places for sessions are taken by sessions that are in use.",
    "Remove one with `DELETE /api/sessions/:threadId`, or allow more."
  ),
  STORE_FAILED: explained(
    "What is kept of the thread cannot be read or written. `cause` has a code of the section on what is kept.",
    "Look the cause up. The thread can be used again once that is mended."
  ),
  TOO_MANY_BODIES: explained(
    "Large bodies of other requests are being read, and there was no room for this one in time.",
    "Send it again, or allow more at one time (`--max-bodies`, `limits.maxBodiesBytes`) where there is the memory."
  ),
  RUNTIME_UNREACHABLE: explained(
    "The sessions are in another process (`agentwire runtime`), and that cannot be reached now, or was started again before it answered. The cause says which.",
    "Ask again when it is back: the gateway connects by itself. After RUNTIME_RESTARTED, look first whether it was done."
  ),
  RUNTIME_TOO_OLD: explained(
    "The gateway asks its runtime for something that came with a later version of agentwire.",
    "Update agentwire, and start the runtime again."
  ),
  CLOSING: explained("The bridge is closing.", "Ask again when it is back."),
  AGENT_TIMEOUT: explained(
    "The agent did not answer in time.",
    "Ask again. If it stays silent, end it with `POST …/disconnect`; the next message starts another one."
  ),
  EXTENSION_NOT_FOUND: extensionErrors.EXTENSION_NOT_FOUND,
  EXTENSION_METHOD_UNKNOWN: extensionErrors.EXTENSION_METHOD_UNKNOWN,
  EXTENSION_FAILED: extensionErrors.EXTENSION_FAILED,
  EXTENSION_UNAVAILABLE: extensionErrors.EXTENSION_UNAVAILABLE,
  EXTENSION_BUSY: extensionErrors.EXTENSION_BUSY,
  EXTENSION_TIMEOUT: extensionErrors.EXTENSION_TIMEOUT,
  PAGE_NOT_FOUND: explained(
    "The extension has neither a file nor an answer of its own for this path.",
    "Check the path: what follows `/ext/NAME` is the extension's."
  )
}

/** What the typed client fails with besides. */
export const clientErrors: Readonly<Record<string, Explained>> = {
  UNREACHABLE: explained(
    "There was no answer: the server is not running, or the connection broke.",
    "Check the address, and whether the server is running."
  ),
  BAD_RESPONSE: explained(
    "The answer is not one of agentwire's.",
    "Check the address: a proxy or another server may have answered."
  ),
  BAD_INPUT: explained(
    "A parameter of a path is empty, `.` or `..`, which no URL can carry.",
    "Use another name for the thread."
  )
}

/** What the client of the gateway fails with besides. */
export const gatewayClientErrors: Readonly<Record<string, Explained>> = {
  NO_WEBSOCKET: explained(
    "There is no WebSocket where the client runs.",
    "Give it that of the package `ws` (`WebSocket`), or use Node 22 or later."
  ),
  TIMEOUT: explained(
    "The gateway did not answer in time, or there was no connection to it.",
    "Check the address, the token and whether the server is running; a call that takes longer may have a `timeout` of its own."
  ),
  DISCONNECTED: explained(
    "The connection broke before there was an answer: the call may have been done.",
    "Look before you repeat it: `session.info` and `session.history` say what there is."
  ),
  CLOSED: explained("The client was closed.", "Make another one.")
}
