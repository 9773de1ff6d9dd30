/**
 * Why runs and sub-agents end with an error, in words. Codes in small letters are the agent's own.
 */
import { type Explained, explained } from "./Explained.ts"

/** `RUN_ERROR` by the bridge. */
export const bridgeRunErrors: Readonly<Record<string, Explained>> = {
  THREAD_BUSY: explained(
    "A run is open on the thread, and the thread takes one at a time. CopilotKit is told so in a stream.",
    "Wait for the end of the run, or stop it."
  ),
  INTERRUPT_OPEN: explained(
    "A prompt came while the agent was waiting for an answer.",
    "Answer the interrupts first, with `resume`. The prompt may come with them."
  ),
  INTERRUPT_UNKNOWN: explained(
    "A run answers a question that is not open: it was answered, withdrawn, or has expired.",
    "Nothing: read the thread again, and answer what is open now."
  ),
  RESULT_UNKNOWN: explained(
    "A run brings nothing but the result of a tool of the application whose call is over: it was stopped, given up, or its time was up.",
    "Nothing: the agent was told that there is no result. Send a prompt to go on."
  ),
  BRIDGE_ENDED: explained(
    "The bridge was gone before the end of the turn: killed, or its machine. What was said until then is kept.",
    "Send a message: the agent continues the conversation."
  ),
  THREAD_EXISTS: explained(
    "A thread with this id exists already, in a folder that is not below a root of this bridge. CopilotKit is told so in a stream.",
    "Choose another id, or use the thread at the bridge of its folder."
  ),
  THREAD_ELSEWHERE: explained(
    "Another bridge that is alive has the thread. CopilotKit is told so in a stream.",
    "Use the thread there, or end that bridge."
  ),
  SESSION_CLOSED: explained("The session was closed before the run ended.", "Begin another run."),
  SERVER_CLOSED: explained("The server was stopped before the run ended.", "Begin another run when it is back."),
  STOPPED: explained(
    "A person stopped the run: this is in the answer to CopilotKit's stop request.",
    "Nothing: it was asked for."
  )
}

/** `RUN_ERROR` by what the agent said, or by how it ended. */
export const agentRunErrors: Readonly<Record<string, Explained>> = {
  process_exited: explained(
    "The agent's process ended in the middle of the turn. The message has its exit code and last words.",
    "Read the message. The next run starts another process and continues the conversation."
  ),
  stream_ended: explained("The agent's output ended in the middle of the turn.", "Begin another run."),
  prompt_refused: explained(
    "The agent took the prompt and would not begin a turn with it. The message has its words.",
    "Read the message, mend what it names, and send the prompt again."
  ),
  transcript_ended: explained(
    "The session file that the agent kept does not tell how this turn ended: its process was ended, or it still runs.",
    "Nothing: the conversation can be continued."
  ),
  error_during_execution: explained("The turn failed before it was complete.", "Read the message, and try again."),
  error_max_turns: explained(
    "The turn reached the limit on the number of model calls.",
    "Raise `maxTurns`, or continue with another prompt."
  ),
  error_max_budget_usd: explained("The turn reached the limit on its cost.", "Raise the budget."),
  error_max_structured_output_retries: explained(
    "The model did not produce output that fits the requested schema.",
    "Simplify the schema, or try again."
  ),
  refusal: explained("The model refused to answer.", "Ask in another way."),
  api_error: explained("The model's API returned an error.", "Read the message, and try again."),
  authentication_failed: explained("The API does not accept the credentials.", "Sign in, or set a valid API key."),
  oauth_org_not_allowed: explained("The account's organisation may not be used here.", "Sign in with another account."),
  account_on_hold: explained("The account is on hold.", "Ask the provider."),
  verification_required: explained("The account has to be verified.", "Verify it with the provider."),
  billing_error: explained("The API says that the account cannot pay.", "Check the account's billing."),
  rate_limit: explained("The API says that it was asked too often.", "Wait, then try again."),
  overloaded: explained("The API has too much to do.", "Wait, then try again."),
  invalid_request: explained(
    "The API does not accept the request.",
    "Read the message; the conversation may be too long."
  ),
  model_not_found: explained("There is no such model for this account.", "Choose another with `PUT …/model`."),
  server_error: explained("The API failed.", "Try again."),
  unknown: explained("The API failed in a way the agent has no word for.", "Read the message, and try again."),
  max_output_tokens: explained("The answer reached the limit on its length.", "Ask for less at a time."),
  cloud_credential_error: explained("The credentials of the cloud provider do not work.", "Renew them.")
}

const settings = "Ask whoever manages this machine or organisation; the message has the details."

/** `RUN_ERROR` by an agent that does not start a turn at all. */
export const startupErrors: Readonly<Record<string, Explained>> = {
  org_pin_api_key_conflict: explained("An API key is set where an organisation is required.", settings),
  provider_not_allowed: explained("The settings do not allow this provider of models.", settings),
  org_verify_failed: explained("The organisation could not be verified.", settings),
  org_pin_mismatch: explained("The account belongs to another organisation than the one required.", settings),
  managed_settings_invalid: explained("The managed settings are not valid.", settings),
  managed_settings_not_delivered: explained("The managed settings did not arrive.", settings),
  remote_settings_required_unavailable: explained("Settings that are required could not be fetched.", settings),
  org_config_required_unavailable: explained("The organisation's settings could not be fetched.", settings),
  org_config_refused: explained("The organisation's settings were refused.", settings),
  gateway_signin_required: explained("The gateway wants a sign-in.", "Sign in with the CLI itself."),
  gateway_access_denied: explained("The gateway does not let this account in.", settings),
  proxy_invalid: explained("The proxy in the environment is not valid.", "Check HTTP_PROXY and HTTPS_PROXY."),
  temp_dir_unusable: explained("The folder for temporary files cannot be used.", "Check TMPDIR."),
  cwd_unavailable: explained("The working folder cannot be used.", "Check that it exists and can be read."),
  shell_tool_missing: explained("There is no shell the agent can use.", "Install bash."),
  session_held_by_background: explained(
    "The conversation is open in another process of the agent.",
    "End that one, or begin another thread."
  ),
  worktree_resume_refused: explained(
    "The conversation belongs to a worktree that cannot be used.",
    "Begin another thread."
  ),
  worktree_unverified: explained("The worktree of the conversation could not be verified.", "Begin another thread."),
  cli_version_too_old: explained("The CLI is too old for what it is to do.", "Update Claude Code."),
  bypass_root: explained(
    "Permissions may not be bypassed by root.",
    "Run as another user, or choose another permission mode."
  ),
  sandbox_required_unavailable: explained("A sandbox is required and there is none.", settings),
  initialize_not_first: explained("Something was said before `initialize`.", "Report it as a bug of agentwire."),
  config_file_invalid: explained("The CLI's configuration file is not valid.", "Repair the file the message names.")
}

/** `SUBAGENT_ERROR`. */
export const subagentErrors: Readonly<Record<string, Explained>> = {
  tool_error: explained("The call that started the sub-agent failed.", "Read the message; the agent continues."),
  incomplete: explained("The turn ended before the sub-agent did.", "Nothing: what it had said is there.")
}
