/**
 * What the demo agent can do: a table of turns, each with what has to be typed for it and the takes it is played from.
 */
import type { Swap } from "./Swap.ts"

/** A turn of the demo agent. */
export interface DemoTurn {
  /** What it shows, in a word or two. */
  readonly title: string
  /** An example of what to type. */
  readonly prompt: string
  /** Whatever else may be typed for it. */
  readonly words: RegExp
  /** The takes, by the names of their scenarios without `demo_`: the same up to an answer of the host. */
  readonly takes: readonly [string, ...ReadonlyArray<string>]
  /** The take to play instead once the person has allowed it for good. */
  readonly allowed?: string
  /** The tool the page must have, and the take to play when it has not. */
  readonly needs?: { readonly tool: string; readonly otherwise: string }
  /** A word of the recording whose place a word of the prompt takes. */
  readonly slot?: { readonly recorded: string; readonly words: RegExp }
}

const colors =
  /#[0-9a-f]{6}\b|#[0-9a-f]{3}\b|\b(?:black|blue|brown|coral|crimson|cyan|gold|gr[ae]y|green|indigo|lime|magenta|maroon|navy|olive|orange|orchid|pink|plum|purple|red|salmon|silver|tan|teal|tomato|turquoise|violet|yellow)\b/i

/** The turns. The first whose words are in the prompt is played. */
export const demoTurns: ReadonlyArray<DemoTurn> = [
  {
    title: "Change the page",
    prompt: "Make this page teal",
    words: new RegExp(`${colors.source}|\\b(?:colou?rs?|accent|theme)\\b`, "i"),
    takes: ["page"],
    needs: { tool: "setAccent", otherwise: "page_missing" },
    slot: { recorded: "teal", words: colors }
  },
  {
    title: "Approve a tool",
    prompt: "Write a haiku into a file",
    words: /\b(?:write|haiku|poem|save|edit|approv\w*|permission|allow|deny)\b/i,
    takes: ["approval_allow", "approval_edit", "approval_deny"],
    allowed: "approval_always"
  },
  {
    title: "Send sub-agents",
    prompt: "Send two helpers",
    words: /\b(?:helpers?|sub-?agents?|agents|parallel|delegate)\b/i,
    takes: ["subagents"]
  },
  {
    title: "Answer a question",
    prompt: "Ask me a question",
    words: /\b(?:ask|questions?|choose|choice)\b/i,
    takes: ["question_bridge", "question_tapes", "question_other", "question_declined"]
  },
  {
    title: "Follow a task list",
    prompt: "Plan a tea party",
    words: /\b(?:plan|party|tasks?|to-?dos?)\b/i,
    takes: ["tasks"]
  },
  {
    title: "Stop a long answer",
    prompt: "Tell me a long story",
    words: /\b(?:story|long|stop|reload)\b/i,
    takes: ["story"]
  },
  {
    title: "See an error",
    prompt: "Show me an error",
    words: /\b(?:errors?|fail\w*|overload\w*|crash)\b/i,
    takes: ["error"]
  },
  {
    title: "Use tools",
    prompt: "Look around in the project",
    words: /\b(?:look|tools?|read|files?|project|bash|list|search)\b/i,
    takes: ["tools"]
  },
  {
    title: "Stream an answer",
    prompt: "Explain how agentwire works",
    words: /\b(?:explain|how|agentwire|works?|think\w*|markdown|stream\w*)\b/i,
    takes: ["explain"]
  }
]

const turnsTitled = (titles: Readonly<Record<string, Pick<DemoTurn, "takes"> & Partial<DemoTurn>>>) =>
  demoTurns.flatMap((turn) => {
    const own = titles[turn.title]
    return own === undefined ? [] : [{ ...turn, ...own }]
  })

/** The turns of the demo's Codex: the same where it has them, with takes of its own. */
export const codexTurns: ReadonlyArray<DemoTurn> = turnsTitled({
  "Change the page": { takes: ["page"] },
  "Approve a tool": { takes: ["approval_allow", "approval_session", "approval_deny"] },
  "Follow a task list": { takes: ["tasks"] },
  "Stop a long answer": { takes: ["story"] },
  "See an error": { takes: ["error"] },
  "Use tools": { takes: ["tools"] },
  "Stream an answer": { takes: ["explain"] }
})

/** The take that shows how Codex leaves a turn that is stopped. */
export const codexStopTake = "stopped"

/** The answer to all that no turn is for: what can be tried. */
export const welcome: Pick<DemoTurn, "takes"> = { takes: ["welcome"] }

/** The takes that show how the CLI leaves a turn that is stopped. */
export const stopTakes = { text: "stopped_text", tools: "stopped_subagents" } as const

const takesOf = (turns: ReadonlyArray<DemoTurn>): ReadonlyArray<string> => [
  ...welcome.takes,
  ...turns.flatMap(({ allowed, needs, takes }) => [
    ...takes,
    ...(allowed === undefined ? [] : [allowed]),
    ...(needs === undefined ? [] : [needs.otherwise])
  ])
]

/** Every take of Claude Code there has to be. */
export const demoTakes: ReadonlyArray<string> = [...takesOf(demoTurns), ...Object.values(stopTakes)]

/** Every take of Codex there has to be. */
export const codexTakes: ReadonlyArray<string> = [...takesOf(codexTurns), codexStopTake]

const promptsOf = (turns: ReadonlyArray<DemoTurn>) => turns.map(({ prompt, title }) => ({ title, prompt })).reverse()

/** What a page can suggest to type to Claude Code. */
export const demoPrompts: ReadonlyArray<{ readonly title: string; readonly prompt: string }> = promptsOf(demoTurns)

/** What a page can suggest to type to Codex. */
export const codexPrompts: typeof demoPrompts = promptsOf(codexTurns)

/** What is known when a prompt comes. */
export interface Setting {
  /** The names of the page's tools. */
  readonly tools: ReadonlySet<string>
  /** The prompts of the turns that the person has allowed for good. */
  readonly allowed: ReadonlySet<string>
}

/** A turn to be played. */
export interface ChosenTurn {
  readonly takes: DemoTurn["takes"]
  readonly swaps: ReadonlyArray<Swap>
  /** The turn of the table; undefined for what no turn is for. */
  readonly turn: DemoTurn | undefined
}

/** The turn for a prompt. */
export const chooseTurn = (prompt: string, { allowed, tools }: Setting, turns = demoTurns): ChosenTurn => {
  const turn = turns.find(({ words }) => words.test(prompt))
  if (turn === undefined) return { ...welcome, swaps: [], turn }
  const word = turn.slot?.words.exec(prompt)?.[0]
  const swaps: ReadonlyArray<Swap> =
    turn.slot === undefined || word === undefined ? [] : [[turn.slot.recorded, word.toLowerCase()]]
  if (turn.needs !== undefined && !tools.has(turn.needs.tool)) return { takes: [turn.needs.otherwise], swaps, turn }
  if (turn.allowed !== undefined && allowed.has(turn.prompt)) return { takes: [turn.allowed], swaps, turn }
  return { takes: turn.takes, swaps, turn }
}
