/**
 * What the protocol of the app-server can say of a transcript: the model's transcript without what is lost on the way. Each
 * loss is a row of the table in docs/app-server.md. Written without the writer's own tables, so that it can disagree.
 */
import { unwrapShell } from "../../src/actions/ShellActions.ts"
import { contentOf, partsOf, userInputOf, wordsOf } from "../../src/appserver/UserInput.ts"
import type { Model } from "../../src/index.ts"
import { fieldsIn, listIn, textIn } from "../../src/wire/Fields.ts"
import { isRecord } from "../../src/wire/Json.ts"
import { parseJson } from "../../src/wire/ReadJson.ts"

type Entry = Model.TranscriptEntry
type Call = Extract<Entry, { readonly kind: "call" }>
type Result = Extract<Entry, { readonly kind: "result" }>

/** An entry as both sides can say it. */
export interface Said {
  readonly lane: Model.Lane
  readonly id: string
  readonly kind: string
  readonly said: unknown
}

const said = ({ id, lane }: Entry, kind: string, what: unknown): ReadonlyArray<Said> => [{ lane, id, kind, said: what }]

/** What is lost, and why. The same rows are in docs/app-server.md. */
export const losses: ReadonlyArray<readonly [what: string, why: string]> = [
  [
    "Whether a text or thought was cut off",
    "An item is complete or not; it is completed with the words that there were."
  ],
  ["That a text which was cut off continued", "No item opens twice: the rest is an item of its own, `ID:2`."],
  ["Texts and thoughts without a word", "Readers take them for nothing."],
  [
    "The provider's seal on a thought (`signature`), and points to go back to (`anchored`)",
    "Nobody but the runtime reads them."
  ],
  ["The message of the agent that a call hangs on", "Items follow each other; they have no parents."],
  [
    "The names of tools that are items of their own",
    "`Bash` is a `commandExecution`, `Write` and `Edit` are a `fileChange`, `WebSearch` and `WebFetch` a `webSearch`, `Agent` and `Task` a `collabAgentToolCall`."
  ],
  [
    "Arguments besides those that the item shows",
    "A `commandExecution` has its command and folder, a `webSearch` its query, a `spawnAgent` its prompt and model."
  ],
  [
    "Calls that were cut off before it was known what they are called with",
    "As with Codex: an item is whole from its start."
  ],
  ["Calls whose turn ended before they had a result", "Every item is closed: they are `failed`, with nothing in them."],
  [
    "What a call of `commandExecution` gave back besides words; the words of a refused one",
    "`aggregatedOutput` is a text, and null where the command never ran."
  ],
  ["The exit code of a command that succeeded without one", "It is said to be 0."],
  [
    "Whether a command was told with its shell",
    "As with Codex, every one is: `/bin/bash -lc '…'`. Clients show what is in it."
  ],
  [
    "Claude Code's words that a command had no output (`(Bash completed with no output)`)",
    "`aggregatedOutput` is what the command wrote."
  ],
  ["The words that a `fileChange` gave back", "It has a status and its diff."],
  ["Whether a `webSearch` failed", "It has no status; what it gave back is in `results`."],
  ["What a failed `mcpToolCall` gave back besides words", "`error` has a message."],
  [
    "Documents, videos, and parts whose bytes only a provider has",
    "Codex has images and recordings: the others are named in their place."
  ],
  [
    "The result of a plan (`ExitPlanMode`) and that it was a call",
    "It is a `plan`, and what is decided about it is the answer to a question."
  ],
  [
    "The steps that the agent writes down (`TodoWrite`), and their result",
    "They are `turn/plan/updated`, as Codex's are; Codex has no item for them."
  ],
  [
    "Calls that ask the person, and their results",
    "The question is a request of its own, without an item, as with Codex."
  ],
  ["Tasks", "What runs in the background is told by the call that began it; a plan is `turn/plan/updated`."],
  [
    "The words of sub-agents' prompts under another id",
    "A sub-agent's thread begins with what it was told to do; the model has that in the call."
  ],
  [
    "The result of the call that starts a sub-agent, as it was given",
    "It is the message of the sub-agent in the `wait` that follows, as words."
  ],
  [
    "Whether a plan or any other tool is asked about",
    "Both are the form with which Codex asks for permission to use a tool."
  ],
  [
    "That more than one option may be chosen",
    "`item/tool/requestUserInput` has no such mark; several answers are taken all the same."
  ],
  [
    "Limits as ends of turns (`limited`)",
    "A turn is completed, interrupted or failed: it has failed with `sessionBudgetExceeded`."
  ],
  [
    "Codes of errors that Codex has no word for",
    "`codexErrorInfo` is `other`, and the code is in `additionalDetails`."
  ],
  ["That the end of a turn counts fewer tokens than were told", "What was told is never taken back."]
]

/** What a call is called with, as an object. */
const inputIn = ({ arguments: text }: Call): Readonly<Record<string, unknown>> => fieldsIn(parseJson(text))

/** A value as the arguments of a call have it: an object, or one around it. */
const asObject = ({ arguments: text }: Call): unknown => {
  const value = parseJson(text) ?? text
  return isRecord(value) ? value : value === null ? {} : { value }
}

const given = (fields: Readonly<Record<string, unknown>>): unknown =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))

/** Content whose parts of other kinds than text, images and recordings are named only. */
const plainContent = (content: Model.Content): unknown =>
  contentOf(
    partsOf(content).map((part) =>
      part.type === "text" || part.type === "image" || part.type === "audio"
        ? part
        : { type: "text" as const, text: wordsOf([part]) }
    )
  )

/** A command without the shell that it is told to. */
const withoutShell = (command: unknown): unknown => (typeof command === "string" ? unwrapShell(command) : command)

/** How a kind of call, and its result, are said. Undefined: not at all. */
interface CallRow {
  readonly is: (call: Call) => boolean
  readonly call: (call: Call, cwd: string) => { readonly kind?: string; readonly said: unknown } | undefined
  readonly result: (result: Result, isRefused: boolean) => unknown
}

const isOf =
  (...actions: ReadonlyArray<string>) =>
  ({ action }: Call): boolean =>
    actions.includes(action)

const isTool =
  (...tools: ReadonlyArray<string>) =>
  ({ action, tool }: Call): boolean =>
    action !== "page_tool" && tools.includes(tool)

const nothing = (): undefined => undefined

/** The first that fits a call says how it is told. */
const callRows: ReadonlyArray<CallRow> = [
  {
    is: (call) => isTool("ExitPlanMode")(call) && "plan" in inputIn(call),
    call: (call) => ({ kind: "text", said: inputIn(call)["plan"] }),
    result: nothing
  },
  { is: (call) => isTool("TodoWrite")(call) && "todos" in inputIn(call), call: nothing, result: nothing },
  { is: (call) => isOf("question")(call) && !isTool("ExitPlanMode")(call), call: nothing, result: nothing },
  {
    is: isTool("imageView", "sleep"),
    call: (call) => ({ said: { tool: call.tool, input: inputIn(call) } }),
    result: nothing
  },
  {
    is: (call) => isOf("command")(call) && "command" in inputIn(call),
    call: (call, cwd) => {
      const input = inputIn(call)
      const command = withoutShell(input["command"])
      return { said: { tool: "commandExecution", input: { command, cwd: input["cwd"] ?? cwd } } }
    },
    result: ({ content, exitCode, failed }, isRefused) => ({
      failed,
      content: isRefused ? "refused" : wordsOf(content).replace(/^\(Bash completed with no output\)$/, ""),
      exitCode: exitCode ?? (failed ? undefined : 0)
    })
  },
  {
    is: (call) => isOf("write", "edit")(call) && pathsIn(inputIn(call)).length > 0,
    call: (call) => ({ said: { tool: "fileChange", paths: pathsIn(inputIn(call)) } }),
    result: ({ failed }) => ({ failed })
  },
  {
    is: isOf("fetch"),
    call: (call) => ({
      said: { tool: "webSearch", input: { query: inputIn(call)["query"] ?? inputIn(call)["url"] ?? "" } }
    }),
    result: ({ content }) => ({ content: wordsOf(content) })
  },
  {
    is: isOf("agent"),
    call: (call) => ({ said: { tool: "spawnAgent", input: given({ prompt: inputIn(call)["prompt"] }) } }),
    result: ({ content, failed }) => ({ failed, content: wordsOf(content) })
  },
  {
    is: ({ action, tool }) => action !== "page_tool" && tool.startsWith("mcp__"),
    call: (call) => ({ said: { tool: call.tool, input: asObject(call) } }),
    result: ({ content, failed }) => ({ failed, content: failed ? wordsOf(content) : plainContent(content) })
  },
  {
    is: () => true,
    call: (call) => ({ said: { tool: call.tool, input: asObject(call) } }),
    result: ({ content, failed }) => ({ failed, content: plainContent(content) })
  }
]

/** The files that a call changes. */
const pathsIn = ({ changes, file_path, notebook_path }: Readonly<Record<string, unknown>>): ReadonlyArray<unknown> =>
  Array.isArray(changes)
    ? changes.map((change) => fieldsIn(change)["path"])
    : [file_path ?? notebook_path].filter((path) => path !== undefined)

/** What was said, as far as the protocol can say it. `told`: the calls that began; `denied`: those that were refused. */
export const projected = (
  entries: ReadonlyArray<Entry>,
  cwd: string,
  { denied, told }: { readonly denied: ReadonlySet<string>; readonly told: ReadonlySet<string> }
): ReadonlyArray<Said> => {
  const rows = new Map(
    entries.flatMap((entry) =>
      entry.kind === "call" && told.has(entry.id) ? [[entry.id, callRows.find(({ is }) => is(entry))] as const] : []
    )
  )
  const sayers: { readonly [K in Entry["kind"]]: (entry: never) => ReadonlyArray<Said> } = {
    text: (entry: Extract<Entry, { readonly kind: "text" | "thought" }>) =>
      entry.text === "" ? [] : said(entry, entry.kind, entry.text),
    thought: (entry: Extract<Entry, { readonly kind: "text" | "thought" }>) =>
      entry.text === "" ? [] : said(entry, entry.kind, entry.text),
    prompt: (entry: Extract<Entry, { readonly kind: "prompt" }>) =>
      entry.lane === null ? said(entry, "prompt", userInputOf(entry.content)) : [],
    task: () => [],
    call: (entry: Call) => {
      const what = rows.get(entry.id)?.call(entry, cwd)
      return what === undefined ? [] : said(entry, what.kind ?? "call", what.said)
    },
    result: (entry: Result) => {
      const what = rows.get(entry.id)?.result(entry, entry.failed && denied.has(entry.id))
      return what === undefined ? [] : said(entry, "result", what)
    }
  }
  return entries.flatMap((entry) => sayers[entry.kind](entry as never))
}

/** What a reader of the protocol has, in the same words. `answered`: the calls that have results in the model. */
export const heard = (
  entries: ReadonlyArray<Entry>,
  { answered, denied }: { readonly answered: ReadonlySet<string>; readonly denied: ReadonlySet<string> }
): ReadonlyArray<Said> => {
  const out: Array<Said> = []
  const calls = new Map(entries.flatMap((entry) => (entry.kind === "call" ? [[entry.id, entry] as const] : [])))
  const waits = new Set(
    [...calls.values()].flatMap(({ id, tool }) => (tool === "wait" && id.endsWith(":wait") ? [id] : []))
  )
  for (const entry of entries) {
    switch (entry.kind) {
      case "text":
      case "thought": {
        // The rest of one that was cut off is an item of its own.
        const [, base = ""] = /^(.*):\d+$/s.exec(entry.id) ?? []
        const first = out.findIndex(({ id, kind }) => id === base && kind === entry.kind)
        const before = out[first]
        if (before === undefined) out.push(...said(entry, entry.kind, entry.text))
        else out[first] = { ...before, said: `${String(before.said)}${entry.text}` }
        break
      }
      case "prompt":
        out.push(...said(entry, "prompt", userInputOf(entry.content)))
        break
      case "task":
        break
      case "call":
        if (!waits.has(entry.id) && entry.action !== "question")
          out.push(
            ...said(
              entry,
              "call",
              entry.tool === "fileChange"
                ? { tool: entry.tool, paths: pathsIn(inputIn(entry)) }
                : entry.tool === "commandExecution"
                  ? { tool: entry.tool, input: { ...inputIn(entry), command: withoutShell(inputIn(entry)["command"]) } }
                  : { tool: entry.tool, input: inputIn(entry) }
            )
          )
        break
      case "result": {
        const base = entry.id.replace(/:wait$/, "")
        const call = calls.get(entry.id)
        if (call === undefined || call.action === "question" || !answered.has(base)) break
        const { content, exitCode, failed } = entry
        const refused = failed && denied.has(entry.id)
        if (call.tool === "commandExecution")
          out.push(...said(entry, "result", { failed, content: refused ? "refused" : content, exitCode }))
        else if (call.tool === "fileChange") out.push(...said(entry, "result", { failed }))
        else if (call.tool === "webSearch")
          out.push(
            ...said(entry, "result", {
              content: listIn(parseJson(String(content)))
                .map((block) => textIn(fieldsIn(block)["text"]))
                .join("\n")
            })
          )
        else if (call.tool === "imageView" || call.tool === "sleep") break
        else if (call.tool === "spawnAgent" && call.action === "agent") {
          if (!waits.has(`${entry.id}:wait`))
            out.push(...said(entry, "result", { failed, content: messageIn(content) }))
        } else if (waits.has(entry.id)) {
          out.push({
            ...(said(entry, "result", { failed, content: messageIn(content) })[0] as Said),
            id: base
          })
        } else out.push(...said(entry, "result", { failed, content }))
      }
    }
  }
  return out
}

/** What a sub-agent gave back. */
const messageIn = (content: unknown): string => {
  const [state] = Object.values(fieldsIn(parseJson(String(content))))
  return textIn(fieldsIn(state)["message"]) ?? ""
}
