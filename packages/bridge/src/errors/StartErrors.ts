/**
 * Why agents, sessions and the bridge do not start, and why requests to agents fail, in words.
 */
import { type Explained, explained } from "./Explained.ts"

/** Why an agent does not start: `LaunchFailed` and `StartFailed`. */
export const launchErrors: Readonly<Record<string, Explained>> = {
  CLI_NOT_FOUND: explained(
    "Claude Code was not found.",
    "Install it, or say where it is with `--cli` or CLAUDE_PATH. `agentwire doctor` shows where it looked."
  ),
  CLI_NOT_EXECUTABLE: explained("The file that was named cannot be run.", "Name the program, and make it executable."),
  CLI_VERSION_UNKNOWN: explained(
    "The program did not say which version it is.",
    "Run it with `--version` by hand; it has to answer within the time limit."
  ),
  SPAWN_FAILED: explained("The process could not be started, or did not connect.", "Read the message."),
  TRANSPORT_UNSUPPORTED: explained(
    "This version cannot be reached in the way that was chosen.",
    "Let the bridge choose, or use another version."
  ),
  OPTION_UNSUPPORTED: explained(
    "This version does not know an option that the session was made with, or an event that it has a hook for.",
    "Use a newer version, or leave the option out; docs/session-options.md says who knows what."
  ),
  OPTION_CONFLICT: explained(
    "Two options of the session exclude each other, or an MCP server has a name that is taken.",
    "Read the message."
  ),
  BAD_OPTION: explained(
    "An option does not fit: of the bridge, of a session that is to be made, or of one that was kept.",
    "Read the message, which names it; docs/session-options.md says what each takes."
  ),
  TAPE_TOO_LARGE: explained(
    "The tapes to play take more memory than they may.",
    "Play fewer, or raise the limit (`--max-size`) if you trust them."
  ),
  NO_TAPE: explained("There is no tape to play, or all of it was played.", "Name a tape, or a folder of tapes."),
  BRANCH_UNAVAILABLE: explained(
    "The agent cannot go back to that message: it was compacted since, its transcript is gone, or the agent never said where it is.",
    "Go back to a later message, or begin a new conversation. Nothing has changed."
  ),
  START_FAILED: explained("The agent could not be started for another reason.", "Read the message.")
}

/** Why a request to the agent came to nothing: `ControlFailed`. */
export const controlErrors: Readonly<Record<string, Explained>> = {
  UNSUPPORTED: explained("This version of the agent does not answer the request.", "Use a newer version."),
  TIMEOUT: explained("The agent did not answer in time.", "Ask again, or end the process."),
  REFUSED: explained("The agent said no; the message is its own.", "Read the message."),
  BAD_ANSWER: explained("The answer does not have the expected shape.", "Update agentwire."),
  GONE: explained("The agent is not running, or ended before it answered.", "Start it, or send a message."),
  CHECKPOINTING_OFF: explained(
    "The session keeps no checkpoints of files.",
    "Make a session with the option `checkpointing`."
  )
}

/** Why a tool of the application could not be called: `ToolCallFailed`. */
export const toolErrors: Readonly<Record<string, Explained>> = {
  NO_SUCH_TOOL: explained("The application has no tool with this name.", "Offer it in the `tools` of a run."),
  TOOL_TIMEOUT: explained("The application did not give a result in time.", "Keep the page open, or allow more time."),
  SESSION_CLOSED: explained("The session was closed while the call waited.", "Call again when it is back.")
}

/** Why a thread cannot be opened: `SessionRefused`. */
export const sessionErrors: Readonly<Record<string, Explained>> = {
  SESSION_LIMIT: explained("All places are taken by sessions that are in use.", "Remove one, or allow more."),
  BAD_THREAD_ID: explained(
    "The id is empty, too long, or has control characters.",
    "Use 1 to 256 printable characters."
  ),
  THREAD_EXISTS: explained(
    "A thread with this id exists already; when it is not in the list, in a folder that is not below a root of this bridge.",
    "Choose another id, or open the existing thread."
  ),
  BAD_OPTION: explained("An option of the session does not fit.", "Read the message, which names it."),
  THREAD_ELSEWHERE: explained("Another bridge that is alive has the thread.", "Use it there, or end that bridge."),
  CLOSING: explained("The bridge is closing.", "Ask again when it is back.")
}

/** Why an agent may not work in a folder: `WorkingFolderRefused`. */
export const folderErrors: Readonly<Record<string, Explained>> = {
  CWD_BAD_PATH: explained("The path is empty, too long, or has a NUL.", "Give the path of a folder."),
  CWD_NOT_ABSOLUTE: explained(
    "The path is relative, or has a `~` that only shells understand.",
    "Give the whole path, from `/` on."
  ),
  CWD_OUTSIDE_ROOTS: explained(
    "The folder, with every link followed, is not below a root of the bridge.",
    "Choose one that is, or add a root."
  ),
  CWD_MISSING: explained("There is no such folder.", "Make it, or give another."),
  CWD_NOT_A_FOLDER: explained("The path leads to something other than a folder.", "Give a folder."),
  CWD_UNREADABLE: explained("The folder cannot be inspected.", "Check its permissions and its links."),
  CWD_BAD_ROOT: explained("A root of the bridge is not a folder that exists.", "Correct the roots.")
}

/** Why the HTTP server does not listen: `HttpServerFailed`. */
export const listenErrors: Readonly<Record<string, Explained>> = {
  UNSAFE: explained(
    "The server would be open to other machines without a token.",
    "Give it a token, or listen on 127.0.0.1."
  ),
  PORT_IN_USE: explained("Another program has the port.", "Choose another port, or stop that program."),
  PORT_FORBIDDEN: explained("The port may not be used without more rights.", "Choose one above 1023."),
  HOST_UNKNOWN: explained("The host is not an address of this machine.", "Use 127.0.0.1, or an address it has."),
  LISTEN_FAILED: explained("The server cannot listen for another reason.", "Read the message.")
}

/** Why clients of Codex's app-server are refused, and why there is no socket for them. */
export const appServerErrors: Readonly<Record<string, Explained>> = {
  METHOD_UNSUPPORTED: explained(
    "The method is one of Codex's that a bridge has nothing for.",
    "docs/app-server.md has the methods that are answered."
  ),
  SOCKET_IN_USE: explained(
    "Another server listens on the unix socket.",
    "Choose another path, or stop that server."
  ),
  SOCKET_FAILED: explained("The unix socket cannot be made.", "Read the message; the folder has to be there.")
}

/** What the server writes to its log about connections. */
export const connectionErrors: Readonly<Record<string, Explained>> = {
  CONNECTION_LIMIT: explained(
    "Connections were closed because there are too many: first the oldest that never showed the token.",
    "Close some, or allow more (`limits.maxConnections`); a client may be leaking them."
  ),
  UPGRADE_REQUIRED: explained(
    "Something other than an agent connected to the port for the WebSockets of agents.",
    "Leave that port alone; it is the bridge's own."
  )
}

/** Why the database of a bridge cannot be used: `StoreFailed`. */
export const databaseErrors: Readonly<Record<string, Explained>> = {
  STORE_TOO_NEW: explained(
    "A later version of agentwire has written the database.",
    "Update agentwire, or give this one another folder."
  ),
  STORE_DAMAGED: explained(
    "What is in the database is not what was written: the disk, or another program, has changed it. Threads whose part is whole can still be used.",
    "Stop every bridge that uses it, and restore a backup, or rescue what can be read with `sqlite3 agentwire.db .recover`. When it is moved away, the bridge begins with an empty one."
  ),
  STORE_UNREADABLE: explained(
    "The database cannot be opened or read: it is not a file of agentwire, this user may not read it, or there is no SQLite.",
    "Read the message; check the folder and its permissions."
  ),
  STORE_UNWRITABLE: explained(
    "The database cannot be written. Nothing that was not written is shown to anybody.",
    "Check that this user may write the folder and the files in it, and that the disk is not read-only."
  ),
  STORE_DISK_FULL: explained("The disk of the database is full.", "Make room."),
  STORE_BUSY: explained(
    "Another process has had the database to itself for more than ten seconds.",
    "Continue that process if it is suspended, or end it."
  ),
  STORE_OUT_OF_ORDER: explained(
    "Events were to be written whose predecessors were not: an append before them failed.",
    "Write what comes before first."
  ),
  STORE_CLOSED: explained("The store was closed with its bridge.", "Open it again.")
}

/** Why a thread cannot be written: `ThreadElsewhere`, `ThreadMissing` and `ClaimLost`. */
export const claimErrors: Readonly<Record<string, Explained>> = {
  THREAD_ELSEWHERE: explained(
    "Another bridge that is alive has the thread. Other threads of the same database can be used.",
    "Close the thread there, or end that process; the message names it, and says when the thread can be taken over."
  ),
  THREAD_MISSING: explained("There is no such thread in the store.", "Make it first."),
  CLAIM_LOST: explained(
    "Another bridge has taken the thread over, because this one gave no sign of life for too long; or the thread was closed, or removed. Nothing was written.",
    "Open the thread again."
  )
}

/** Why a policy file cannot be used: `PolicyInvalid`. */
export const policyErrors: Readonly<Record<string, Explained>> = {
  POLICY_UNREADABLE: explained("The policy file cannot be read.", "Check its path and its permissions."),
  POLICY_NOT_JSON: explained("The policy file is not JSON.", "Check it with a JSON parser."),
  POLICY_INVALID: explained(
    "The policy file is not a valid policy. The message says where it is wrong.",
    "Compare it with the schema."
  ),
  POLICY_NO_MODE: explained("The mode that was asked for is not in the policy.", "Name one of its modes, or add it.")
}

/** Why a line of the wire is not a message. */
export const lineErrors: Readonly<Record<string, Explained>> = {
  EMPTY_LINE: explained("The line is empty.", "Nothing: streams skip such lines."),
  LINE_TOO_LONG: explained("The line is longer than the limit; its content was dropped.", "Raise the limit."),
  NOT_UTF8: explained("The line has bytes that are not UTF-8.", "Check what wrote it."),
  NOT_JSON: explained(
    "The line is not JSON.",
    "Check what wrote it; programs that print to stdout are a common cause."
  ),
  TOO_DEEP: explained("The line nests deeper than 2,000 levels.", "Check what wrote it: no message does."),
  TOO_MANY_VALUES: explained("The line has more than 2,000,000 values.", "Check what wrote it: no message does."),
  NOT_OBJECT: explained("The line is JSON, but not an object.", "Check what wrote it."),
  NO_TYPE: explained("The object has no `type`, or no subtype where its type has some.", "Check what wrote it."),
  BAD_FIELD: explained(
    "A field that a known message cannot be read without is missing or of the wrong type.",
    "`agentwire decode` shows it; a new version of the agent may need a new agentwire."
  )
}

/** What the `Bridge` class fails with besides: `BridgeError`. */
export const embedErrors: Readonly<Record<string, Explained>> = {
  EVENTS_LOST: explained(
    "Events of the run are no longer kept, because its reader was too slow.",
    "Read faster, keep more events, or begin again from the conversation."
  ),
  RUN_FAILED: explained("The run ended with an error that has no code.", "Read the message."),
  STOPPED: explained("The bridge was stopped.", "Make another one: a bridge runs once."),
  NOT_STARTED: explained("The bridge was not started.", "Call `start()` and wait for it.")
}

/** Why a folder cannot be made ready for a session: `WorkspaceRefused`. */
export const workspaceErrors: Readonly<Record<string, Explained>> = {
  WORKSPACE_MISSING: explained("The folder, or that of the templates, does not exist.", "Make it, or name another."),
  WORKSPACE_BAD_PATH: explained(
    "The path of a file is absolute, empty, or leads up.",
    "Name files by their paths from the folder, with `/`."
  ),
  WORKSPACE_OUTSIDE: explained(
    "A link on the way to a file leads out of the folder, or nowhere.",
    "Put a folder in its place. Nothing is written through such links."
  ),
  WORKSPACE_NOT_A_FOLDER: explained("There is a file where a folder has to be.", "Move it; the message names it."),
  WORKSPACE_NOT_A_FILE: explained("There is a folder where a file has to be.", "Move it; the message names it."),
  WORKSPACE_TOO_LARGE: explained(
    "There are too many files in a folder of templates or agents, or one is too large.",
    "Name a folder with nothing else in it."
  ),
  WORKSPACE_UNREADABLE: explained(
    "The system does not let a file or folder be read.",
    "Read the message, which has the system's own code."
  ),
  WORKSPACE_UNWRITABLE: explained(
    "The system does not let a file or folder be written.",
    "Make the folder writable; the message has the system's own code."
  )
}

/** Why the file of a sub-agent is not read: `AgentFileInvalid`, and why none can be written: `AgentUnwritable`. */
export const agentFileErrors: Readonly<Record<string, Explained>> = {
  AGENT_SYNTAX: explained(
    "The file is not TOML, or its front matter is not YAML.",
    "Mend it at the line that is named."
  ),
  AGENT_NO_FRONT_MATTER: explained(
    "The file does not begin with front matter.",
    "Begin it with `---`, the keys, and `---`."
  ),
  AGENT_FRONT_MATTER_CUT: explained(
    "Claude Code takes the front matter to end at a `---` within a value.",
    "Write other words, or `\\x2d` for one of the hyphens, in double quotes."
  ),
  AGENT_FIELD_MISSING: explained("A key that the program cannot do without is missing.", "Add it."),
  AGENT_FIELD_INVALID: explained(
    "A value is one that the program ignores, or that no definition can hold.",
    "Read the message, which says what it takes."
  ),
  AGENT_DEFINITION_INVALID: explained(
    "The definition does not fit its schema.",
    "Read the message, which names the member."
  ),
  AGENT_UNSAYABLE: explained(
    "The runtime has no words for a part of the definition.",
    "Leave it out, or write the agent for the other runtime only."
  )
}
