/**
 * Why what was said in a session differs between its wire and the CLI's own files: every reason that is known, with the
 * scenarios in which it was seen on each version. docs/wire/claude-code.md §12 has the same table; a sweep holds the
 * lists to what the real CLIs do, and a row that is out of date fails.
 */
import type { TranscriptEntry } from "../../../src/model/Transcript.ts"
import type { Difference } from "./Alignment.ts"
import { type Comparison, nameOf } from "./Comparison.ts"

/** A reason for differences. */
export interface Reason {
  readonly name: string
  readonly words: string
  readonly explains: (difference: Difference, comparison: Comparison) => boolean
  /** The scenarios in which it was seen, by version. */
  readonly seen: { readonly [Version in "2.1.197" | "2.1.325"]: ReadonlyArray<string> }
}

const both = (...scenarios: ReadonlyArray<string>) => ({ "2.1.197": scenarios, "2.1.325": scenarios })

const only =
  (side: "wire" | "file", test: (entry: TranscriptEntry, comparison: Comparison) => boolean): Reason["explains"] =>
  (difference, comparison) =>
    difference.side === side && "entry" in difference && test(difference.entry, comparison)

const changed =
  (test: (wire: TranscriptEntry, file: TranscriptEntry) => boolean): Reason["explains"] =>
  (difference) =>
    difference.side === "both" && test(difference.wire, difference.file)

const isText = (entry: TranscriptEntry, pattern: RegExp): boolean => entry.kind === "text" && pattern.test(entry.text)
const isPrompt = (entry: TranscriptEntry, pattern: RegExp): boolean =>
  entry.kind === "prompt" && typeof entry.content === "string" && pattern.test(entry.content)

/** What a call has besides its arguments and the message that it hangs on. */
const callOf = (entry: TranscriptEntry): string =>
  entry.kind === "call" ? `${entry.id} ${entry.tool} ${entry.action} ${entry.lane}` : ""
const argumentsOf = (entry: TranscriptEntry): string => (entry.kind === "call" ? entry.arguments : "")

const linesOf = (entry: TranscriptEntry): ReadonlyArray<string> =>
  entry.kind === "prompt" && typeof entry.content === "string" ? entry.content.split("\n") : []

/** Names that a command is also known by. */
const aliases: ReadonlyMap<string, string> = new Map([
  ["/cost", "/usage"],
  ["/review", "/code-review"]
])

/** All reasons, the most particular first. */
export const reasons: ReadonlyArray<Reason> = [
  {
    name: "left_behind",
    words:
      "The person went back: what the wire told before is in the file as another branch. 2.1.197 also goes back behind a call that was open when the process was killed.",
    explains: only("wire", (entry, { elsewhere }) => elsewhere.has(nameOf(entry))),
    seen: {
      "2.1.197": ["resume_at", "resume_interrupted"],
      "2.1.325": ["control_conversation", "resume_at", "rewind_then_resume"]
    }
  },
  {
    name: "merged_prompts",
    words: "Prompts that wait for the same turn are one line: their texts with a line break between them.",
    explains: (difference, { file, wire }) => {
      if (difference.side === "both") return false
      const { entry } = difference
      const waited = difference.side === "wire" ? [entry] : wire.filter(({ kind }) => kind === "prompt")
      const merged = difference.side === "file" ? [entry] : file.filter(({ kind }) => kind === "prompt")
      return merged.some((one) =>
        waited.some((other) => linesOf(one).length > 1 && linesOf(one).includes(linesOf(other).join("\n")))
      )
    },
    seen: both("queue_prompt")
  },
  {
    name: "no_content",
    words: "The wire says `(no content)` where a command printed nothing.",
    explains: only("wire", (entry) => isText(entry, /^\(no content\)$/)),
    seen: { "2.1.197": ["hooks_session_events", "slash_commands"], "2.1.325": [] }
  },
  {
    name: "never_whole",
    words:
      "The CLI writes whole blocks: what was streamed of a block that an interrupt, a signal or a broken stream cut is not in the file.",
    explains: only("wire", (entry, { whole }) => !whole.has(nameOf(entry))),
    seen: {
      "2.1.197": [
        "api_stream_cut",
        "api_stream_error_event",
        "interrupt_during_thinking",
        "interrupt_during_tool_args",
        "killed_midturn",
        "sigint_midturn",
        "sigterm_midturn"
      ],
      "2.1.325": [
        "api_stream_cut",
        "api_stream_error_event",
        "interrupt_during_thinking",
        "interrupt_during_tool_args",
        "killed_midturn",
        "sigterm_midturn"
      ]
    }
  },
  {
    name: "speaks_again",
    words:
      "A sub-agent that is sent another message after its end speaks under another name on the wire (`…#2`), if its end was told before: a matter of time. Its file goes on.",
    explains: only("wire", ({ id, lane }) => lane !== null && /#\d+\//.test(id)),
    seen: { "2.1.197": [], "2.1.325": ["subagent_output_tool"] }
  },
  {
    name: "killed",
    words:
      "The CLI writes what it has heard a moment later: blocks that were whole when the process was killed may not be in the file.",
    explains: only(
      "wire",
      ({ kind }, { wireEvents }) =>
        (kind === "text" || kind === "thought") &&
        wireEvents.some(
          (event) =>
            event.type === "turn_ended" && event.outcome.type === "failed" && event.outcome.code === "process_exited"
        )
    ),
    seen: {
      "2.1.197": ["killed_midturn", "sigint_midturn", "sigterm_midturn"],
      "2.1.325": ["killed_midturn", "sigterm_midturn"]
    }
  },
  {
    name: "retracted",
    words:
      "An answer that was refused is taken back when another model is asked (`model_refusal_fallback.retracted_message_uuids`): the file has it no more.",
    explains: only(
      "wire",
      (entry, { wireEvents }) =>
        wireEvents.some(
          ({ type, ...event }) => type === "noticed" && "name" in event && event.name === "model_refusal_fallback"
        ) && entry.kind === "text"
    ),
    seen: { "2.1.197": [], "2.1.325": ["stop_refusal_details", "stop_refusal_dialog"] }
  },
  {
    name: "blocked_prompt",
    words: "A prompt that a hook blocked is not kept; what the hook said about it is.",
    explains: only(
      "wire",
      (entry, { file }) => entry.kind === "prompt" && file.some((one) => isText(one, /blocked by hook/))
    ),
    seen: both("hooks_prompt_blocked")
  },
  {
    name: "alias",
    words: "The file has a slash command by its own name, whatever name was typed (`/cost` is `/usage`).",
    explains: (difference, { file, wire }) => {
      if (difference.side === "both") return false
      const named = (entry: TranscriptEntry, name: string): boolean => entry.kind === "prompt" && entry.content === name
      return [...aliases].some(
        ([typed, name]) =>
          (difference.side === "wire" && named(difference.entry, typed) && file.some((one) => named(one, name))) ||
          (difference.side === "file" && named(difference.entry, name) && wire.some((one) => named(one, typed)))
      )
    },
    seen: { "2.1.197": ["slash_commands"], "2.1.325": ["slash_commands", "slash_commands_more"] }
  },
  {
    name: "set_model",
    words: "A `set_model` of the host is in the file what `/model` of a person is.",
    explains: only("file", (entry) => isPrompt(entry, /^\/model \S+$/) || isText(entry, /^Set model to /)),
    seen: {
      "2.1.197": ["control_write", "hooks_session_events", "set_model"],
      "2.1.325": ["control_midturn", "control_write", "hooks_session_events", "set_model"]
    }
  },
  {
    name: "command_and_answer",
    words: "What a command printed before the model answered is a notice on the wire, and a text in the file.",
    explains: only("file", (entry) => isText(entry, /^Goal set: /)),
    seen: { "2.1.197": ["goal", "slash_commands_more"], "2.1.325": [] }
  },
  {
    name: "said_by_host",
    words: "What the host put into the conversation in the model's name is not told on the wire.",
    explains: only("file", (entry) => isText(entry, /^I said so\.$/)),
    seen: both("assistant_in")
  },
  {
    name: "closed_on_resume",
    words: "2.1.325 answers a call that was open when its process was killed, as it resumes the session.",
    explains: only(
      "file",
      (entry) => entry.kind === "result" && String(entry.content).startsWith("[Tool call interrupted")
    ),
    seen: { "2.1.197": [], "2.1.325": ["resume_interrupted"] }
  },
  {
    name: "subagent_untold",
    words:
      "Sub-agents are whole in their files. The wire tells of one in the foreground no more than its calls and results, and nothing of one that a sub-agent, a workflow or a command started.",
    explains: only("file", ({ lane }) => lane !== null),
    seen: {
      "2.1.197": [
        "control_read",
        "control_remote",
        "control_write",
        "hooks_all_new",
        "hooks_settings_events",
        "subagent",
        "subagent_api_error",
        "subagent_custom",
        "subagent_denied",
        "subagent_isolated",
        "subagent_parallel",
        "subagent_retry",
        "subagent_tool_tree",
        "workflow_tools"
      ],
      "2.1.325": [
        "control_dialogs",
        "control_read",
        "control_remote",
        "control_write",
        "hooks_all_new",
        "hooks_settings_events",
        "slash_commands_more",
        "subagent_api_error",
        "subagent_custom",
        "subagent_denied",
        "subagent_isolated",
        "subagent_parallel",
        "subagent_retry",
        "subagent_tool_tree",
        "workflow_tools"
      ]
    }
  },
  {
    name: "normalised_input",
    words:
      "The wire streams the arguments of a call as the model wrote them, the file has them as the CLI understood them: `Edit` with `replace_all`, `SendMessage` with `type`, what was no JSON as `__unparsedToolInput`.",
    explains: changed(
      (wire, file) => callOf(wire) === callOf(file) && wire.kind === "call" && argumentsOf(wire) !== argumentsOf(file)
    ),
    seen: {
      "2.1.197": [
        "control_read",
        "control_remote",
        "control_write",
        "file_tool_errors",
        "file_tools",
        "outside_project",
        "subagent_output_tool",
        "tool_bad_json"
      ],
      "2.1.325": [
        "control_dialogs",
        "control_read",
        "control_remote",
        "control_write",
        "file_tool_errors",
        "file_tools",
        "outside_project",
        "subagent_output_tool",
        "tool_bad_json"
      ]
    }
  },
  {
    name: "call_hangs_elsewhere",
    words:
      "A call hangs on the text before it. Where the wire does not tell that text (of a sub-agent), asks for permission first, or begins an answer that breaks, it hangs on another message there.",
    explains: changed((wire, file) => callOf(wire) === callOf(file) && argumentsOf(wire) === argumentsOf(file)),
    seen: {
      "2.1.197": [
        "server_mcp_tool",
        "subagent",
        "subagent_custom",
        "subagent_denied",
        "subagent_foreground",
        "subagent_interrupt",
        "subagent_isolated",
        "subagent_parallel",
        "subagent_tool_tree"
      ],
      "2.1.325": [
        "server_mcp_tool",
        "subagent_custom",
        "subagent_denied",
        "subagent_isolated",
        "subagent_parallel",
        "subagent_tool_tree"
      ]
    }
  }
]

/** Why the ends of turns differ, and where: no line of a file tells how a turn ended. */
export const endReasons: ReadonlyArray<Omit<Reason, "explains">> = [
  {
    name: "cut",
    words:
      "A turn that a signal ended, or a limit on its cost or its attempts, just stops in the file: it has failed with `transcript_ended`. Where 2.1.197 and 2.1.325 resume behind it, it is complete as far as the file tells.",
    seen: {
      "2.1.197": [
        "json_schema_fail",
        "killed_midturn",
        "max_budget",
        "resume_interrupted",
        "sigint_midturn",
        "sigterm_midturn"
      ],
      "2.1.325": ["json_schema_fail", "killed_midturn", "max_budget", "resume_interrupted", "sigterm_midturn"]
    }
  },
  {
    name: "set_model",
    words: "A `set_model` of the host is in the file what `/model` of a person is: a turn of its own.",
    seen: {
      "2.1.197": ["control_write", "hooks_session_events", "set_model"],
      "2.1.325": ["control_midturn", "control_write", "hooks_session_events", "set_model"]
    }
  },
  {
    name: "left_behind",
    words: "Turns that the person went back behind are in another branch.",
    seen: { "2.1.197": ["resume_at"], "2.1.325": ["control_conversation", "resume_at", "rewind_then_resume"] }
  },
  {
    name: "not_asked",
    words: "A prompt with `shouldQuery: false` begins no turn on the wire.",
    seen: both("assistant_in")
  }
]

/** A reason as a row of the table in docs/wire/claude-code.md §12. */
export const rowOf = ({ name, seen, words }: Pick<Reason, "name" | "seen" | "words">): string => {
  const [older, newer] = [seen["2.1.197"], seen["2.1.325"]]
  const list = (scenarios: ReadonlyArray<string>): string => (scenarios.length === 0 ? "–" : scenarios.join(", "))
  const isSame = older.join() === newer.join()
  const where = isSame ? list(older) : `2.1.197: ${list(older)}; 2.1.325: ${list(newer)}`
  return `| \`${name}\` | ${words} | ${where} |`
}
