/**
 * What a client of ours does in a scenario, as data. Strings may hold `{{name}}`: `{{project}}` is the folder of the
 * project, and what a step saves is known from then on.
 */
import type { Json, JsonObject } from "@agentwire/fixtures"

/** Values that a message must have, by their paths: `turn.status` to `"completed"`. */
export type Holds = Readonly<Record<string, Json>>

/** What the client does. */
export type Act =
  | {
      readonly do: "ask"
      readonly method: string
      /** Left out of the request where it is null. */
      readonly params: JsonObject | null
      /** The next number unless it is given. */
      readonly id?: string | number
      /** How it must be answered. */
      readonly gets: "result" | "error"
      /** What the result, or the error, must have. */
      readonly holds?: Holds
      /** Variables from the result: name to path. */
      readonly save?: Readonly<Record<string, string>>
      /** Do not wait: the answer is waited for at the end of the scenario. */
      readonly awaits?: false
      /** Further keys of the request. */
      readonly beside?: JsonObject
    }
  | { readonly do: "tell"; readonly method: string; readonly params?: JsonObject }
  /** A text as it is. */
  | { readonly do: "write"; readonly text: string }
  /** The next message of the server, notification or request, with this method and these values. */
  | { readonly do: "wait"; readonly method: string; readonly holds?: Holds }
  /** The answer to the last request of the server that was waited for. */
  | { readonly do: "answer"; readonly result: JsonObject }
  | { readonly do: "refuse"; readonly message: string }
  /** No message with this method and these values has come so far. */
  | { readonly do: "never"; readonly method: string; readonly holds?: Holds }
  /** A file of the project: what it holds, or null when it must not be there. */
  | { readonly do: "file"; readonly path: string; readonly content: string | null }
  /** Hangs up: over stdio the server's input ends, and it with that. */
  | { readonly do: "leave" }

/** A step, and which of the clients takes it: the first unless it says otherwise. */
export type Step = Act & { readonly client?: string }

/** A scenario. */
export interface AppServerScenario {
  /** Stable, and never given to another scenario: `APP-007`. */
  readonly id: string
  readonly title: string
  /** What the model says; without it the scenario needs none, and can be played to any server. */
  readonly model?: ReadonlyArray<import("./Script.ts").Beat>
  /** `websocket` for what several clients of one server see. */
  readonly over?: "websocket"
  readonly steps: ReadonlyArray<Step>
}

/** Asks, and waits for the result. */
export const ask = (
  method: string,
  params: JsonObject | null = {},
  more: Partial<Extract<Act, { do: "ask" }>> = {}
): Step => ({ do: "ask", method, params, gets: "result", ...more })

/** Asks, and waits for the error. */
export const refused = (
  method: string,
  params: JsonObject | null = {},
  more: Partial<Extract<Act, { do: "ask" }>> = {}
): Step => ask(method, params, { gets: "error", ...more })

/** Waits for a message of the server. */
export const waitFor = (method: string, holds?: Holds): Step => ({ do: "wait", method, ...(holds && { holds }) })

/** Nothing like this has been said. */
export const never = (method: string, holds?: Holds): Step => ({ do: "never", method, ...(holds && { holds }) })

/** Writes a text as it is. */
export const write = (line: string): Step => ({ do: "write", text: line })

/** Answers the last question. */
export const answer = (result: JsonObject): Step => ({ do: "answer", result })

/** Decides about a command or a patch. */
export const decide = (decision: string): Step => answer({ decision })

/** Looks at a file of the project. */
export const file = (path: string, content: string | null): Step => ({ do: "file", path, content })

/** The steps of another client. */
export const by = (client: string, ...steps: ReadonlyArray<Step>): ReadonlyArray<Step> =>
  steps.map((step) => ({ ...step, client }))

/** What a client says of itself. */
export const clientInfo = { name: "agentwire-conform", title: null, version: "0.0.0" } as const

/** The handshake. */
export const hello = (capabilities: JsonObject | null = null): ReadonlyArray<Step> => [
  ask("initialize", { clientInfo, capabilities }),
  { do: "tell", method: "initialized" }
]

/** A thread that asks before it does anything, so that questions can be seen. */
export const askingThread = (more: JsonObject = {}): Step =>
  ask(
    "thread/start",
    { cwd: "{{project}}", approvalPolicy: "untrusted", sandbox: "workspace-write", ...more },
    { save: { thread: "thread.id" } }
  )

/** Input that is a text. */
export const words = (text: string): JsonObject => ({ type: "text", text, text_elements: [] })

/** Begins a turn. */
export const prompt = (text: string, more: Partial<Extract<Act, { do: "ask" }>> = {}): Step =>
  ask("turn/start", { threadId: "{{thread}}", input: [words(text)] }, { save: { turn: "turn.id" }, ...more })

/** Waits for the end of the turn. */
export const turnEnds = (status = "completed"): Step =>
  waitFor("turn/completed", { "turn.id": "{{turn}}", "turn.status": status })

/** A turn from its prompt to its end. */
export const turn = (text: string): ReadonlyArray<Step> => [prompt(text), turnEnds()]

/** Interrupts the turn. */
export const interrupt: Step = ask("turn/interrupt", { threadId: "{{thread}}", turnId: "{{turn}}" })

/** What asks whether a command may run. */
export const commandQuestion = "item/commandExecution/requestApproval"
/** What asks whether a patch may be made. */
export const patchQuestion = "item/fileChange/requestApproval"
