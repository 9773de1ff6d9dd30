/**
 * An agent that remembers: it keeps its sessions as a CLI does, resumes them, and goes back to any line in a copy. What it
 * was told is what a model would get.
 */
import * as Effect from "effect/Effect"
import { agreed, init, isInterrupt, isPrompt, result, text, toolResult, toolUse } from "./AgentLines.ts"
import type { Behaviour, FakeAgents, Line } from "./FakeAgent.ts"

/** Something in the context of a model: what somebody said, or a call and its result by their id. */
export type Remembered = readonly [who: "user" | "assistant" | "call" | "result", what: string]

interface Kept {
  readonly uuid: unknown
  readonly remembered: ReadonlyArray<Remembered>
}

/** How the agent answers: words, or a call between words. */
export type AnswerKind = "text" | "call"

/** An agent that remembers. */
export interface RememberingAgent {
  readonly behave: Behaviour
  readonly initially: (agents: FakeAgents) => Effect.Effect<void>
  /** What the model got with each prompt, the newest last. */
  readonly contexts: Array<ReadonlyArray<Remembered>>
  /** How it answers next. */
  answer: AnswerKind
}

/** An agent without any session. */
export const rememberingAgent = (): RememberingAgent => {
  const sessions = new Map<string, ReadonlyArray<Kept>>()
  let current = ""
  let answers = 0

  const keep = (line: Line, remembered: ReadonlyArray<Remembered>): Line => {
    sessions.set(current, [...(sessions.get(current) ?? []), { uuid: line["uuid"], remembered }])
    return { ...line, session_id: current }
  }

  const wordsOf = (line: Line): ReadonlyArray<string> => {
    const { content } = line["message"] as { readonly content: ReadonlyArray<{ readonly text: string }> | string }
    return typeof content === "string" ? [content] : content.map(({ text: words }) => words)
  }

  const answering = (kind: AnswerKind): ReadonlyArray<Line> => {
    const nth = ++answers
    const call = `call-${nth}`
    return [
      ...(kind === "text"
        ? []
        : [
            keep(text(`Looking ${nth}`), [["assistant", `Looking ${nth}`]]),
            keep(toolUse(call, "Bash"), [["call", call]]),
            keep(toolResult(call, "done"), [["result", call]])
          ]),
      keep(text(`Answer ${nth}`), [["assistant", `Answer ${nth}`]])
    ]
  }

  const agent: RememberingAgent = {
    contexts: [],
    answer: "text",
    initially: (agents) =>
      Effect.sync(() => {
        const { at, fork, resume } = agents.launched.at(-1) ?? {}
        const before = resume === undefined ? [] : (sessions.get(resume) ?? [])
        current = resume === undefined || fork === true ? `session-${sessions.size + 1}` : resume
        sessions.set(
          current,
          at === undefined ? before : before.slice(0, before.findIndex(({ uuid }) => uuid === at) + 1)
        )
      }),
    behave: (line, say) => {
      if (isInterrupt(line)) return say(agreed(line))
      if (line["type"] === "control_request") return say(agreed(line))
      if (!isPrompt(line)) return Effect.void
      keep(
        line,
        wordsOf(line).map((words) => ["user", words] as const)
      )
      agent.contexts.push((sessions.get(current) ?? []).flatMap(({ remembered }) => remembered))
      const session = { session_id: current }
      return say({ ...init(), ...session }, ...answering(agent.answer), { ...result(), ...session })
    }
  }
  return agent
}
