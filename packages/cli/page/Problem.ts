/**
 * What went wrong, in words for people: what happened and what to do, by the codes of the bridge and of CopilotKit.
 */

/** Something that went wrong. */
export interface Problem {
  readonly code: string
  readonly title: string
  /** What the server said, where it said anything. */
  readonly detail: string
  readonly advice: string
}

type Words = Pick<Problem, "title" | "advice">

const again = "Send the message again: a new agent is started, and it knows the conversation."

const words: Readonly<Record<string, Words>> = {
  SERVER_GONE: {
    title: "The server is gone",
    advice: "Look at the terminal it was started in. When it runs again on the same port, this page continues."
  },
  UNAUTHORIZED: {
    title: "The token was refused",
    advice: "Open the URL that `agentwire serve --page` printed last: every start has a token of its own."
  },
  THREAD_BUSY: {
    title: "This thread is busy",
    advice: "Another tab or program has a run open here. Wait until it ends, or stop it; then send the message again."
  },
  INTERRUPT_OPEN: {
    title: "A question waits for an answer",
    advice: "Answer it first. Reload the page if you do not see it."
  },
  SESSION_LIMIT: {
    title: "There are too many threads",
    advice: "Delete one you do not need, or start the server with a higher --max-sessions."
  },
  process_exited: { title: "The agent's process ended", advice: again },
  stream_ended: { title: "The agent stopped talking", advice: again },
  GONE: { title: "The agent's process ended", advice: again },
  START_FAILED: { title: "The agent could not be started", advice: "Run `agentwire doctor`: it says what is missing." },
  CLI_NOT_FOUND: {
    title: "The agent's program was not found",
    advice: "Install it, or say where it is with --cli PATH. Without one, `npm start` runs the demo agent."
  },
  SPAWN_FAILED: { title: "The agent could not be started", advice: "Run `agentwire doctor`: it says what is missing." },
  CWD_MISSING: {
    title: "The folder is gone",
    advice: "Make the folder again, or start the server with another --cwd."
  },
  authentication_failed: {
    title: "The agent is not logged in",
    advice: "Run `claude` in a terminal and log in, or set ANTHROPIC_API_KEY; then send the message again."
  },
  unauthorized: {
    title: "The agent is not logged in",
    advice: "Run `codex login` in a terminal, or set its key; then send the message again."
  },
  usageLimitExceeded: { title: "The model's limit is reached", advice: "Wait a while, then send the message again." },
  serverOverloaded: {
    title: "The model's server is overloaded",
    advice: "Wait a moment, then send the message again."
  },
  contextWindowExceeded: {
    title: "The conversation is too long for the model",
    advice: "Begin a new thread, or have this one made shorter."
  },
  badRequest: { title: "The model refused the request", advice: "Begin a new thread, or ask in another way." },
  internalServerError: {
    title: "The model's server has trouble",
    advice: "Wait a moment, then send the message again."
  },
  httpConnectionFailed: {
    title: "The model's server does not answer",
    advice: "Wait a moment, then send the message again."
  },
  responseStreamDisconnected: {
    title: "The model's server broke off",
    advice: "Wait a moment, then send the message again."
  },
  responseTooManyFailedAttempts: {
    title: "The model's server has trouble",
    advice: "Wait a moment, then send the message again."
  },
  billing_error: { title: "The account has no credit", advice: "Look at the plan of the account the agent uses." },
  invalid_request: { title: "The model refused the request", advice: "Begin a new thread, or ask in another way." },
  server_error: { title: "The model's server has trouble", advice: "Wait a moment, then send the message again." },
  overloaded: { title: "The model's server is overloaded", advice: "Wait a moment, then send the message again." },
  api_error: {
    title: "The model's server answered with an error",
    advice: "Wait a moment, then send the message again."
  },
  rate_limit: { title: "The model's limit is reached", advice: "Wait a while, then send the message again." },
  error_max_turns: { title: "The turn was too long", advice: "Send another message to continue." },
  error_max_budget_usd: { title: "The turn reached its budget", advice: "Send another message to continue." },
  refusal: { title: "The model refused to answer", advice: "Ask in another way, or begin a new thread." },
  CONNECT_FAILED: {
    title: "The conversation could not be loaded",
    advice: "Reload the page. What was said is kept by the server."
  }
}

const otherwise: Words = { title: "The run failed", advice: "Send the message again, or begin a new thread." }

/** A problem of this code. */
export const problemOf = (code: string, detail = ""): Problem => ({
  code,
  detail,
  ...((Object.hasOwn(words, code) ? words[code] : undefined) ?? otherwise)
})

/** What CopilotKit tells its applications. */
export interface CopilotKitFailure {
  readonly error: Error
  readonly code: string
  readonly context: Readonly<Record<string, unknown>>
}

/** What a failure that CopilotKit reports is to a person; undefined when it is not one. */
export const problemFrom = ({ code, context, error }: CopilotKitFailure): Problem | undefined => {
  if (code === "agent_run_error_event") return problemOf(String(context["runtimeErrorCode"] ?? ""), error.message)
  const status = /\bHTTP (\d{3})\b/.exec(error.message)?.[1]
  const said = /"code":"(\w+)","message":"((?:[^"\\]|\\.)*)"/.exec(error.message)
  if (said !== null) return problemOf(said[1] ?? "", said[2])
  if (status === "401") return problemOf("UNAUTHORIZED")
  if (/failed to fetch|network|load failed|terminated/i.test(error.message)) return problemOf("SERVER_GONE")
  if (code === "agent_connect_failed") return problemOf("CONNECT_FAILED", error.message)
  // The error of a run comes twice: as an event, and as the failure of the run.
  if (code === "agent_run_failed" || code === "agent_run_failed_event") return problemOf("RUN_FAILED", error.message)
  return undefined
}
