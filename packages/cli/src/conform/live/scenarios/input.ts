/** Requests that a server should refuse: no JSON, no RunAgentInput, too big, for no agent, without the token. */
import { randomUUID } from "node:crypto"
import { user } from "../Conversation.ts"
import type { LiveRuleId } from "../LiveRules.ts"
import { copilotKit, type LiveScenario, plainPrompt } from "../LiveScenario.ts"
import { endOf, type Item } from "../Reading.ts"
import { type Answer, isSuccess } from "../Stream.ts"
import type { Talk } from "../Talk.ts"

/** How big the oversized body is. */
const oversized = 24 * 1024 * 1024

/** Lines of stack traces: of JavaScript, of Python, of Java. */
const stackTrace = /\n\s+at .+[:(]\d+|Traceback \(most recent call last\)|\n\s+at [\w.$]+\([\w.]+:\d+\)/

/** Judges the answer to a request that should have been refused. */
const judgeRefusal = (talk: Talk, what: string, answer: Answer, accepted: LiveRuleId): void => {
  const { body, ending, events, head } = answer
  if (head === undefined) {
    const how = ending._tag === "Broken" ? ending.error : "no answer came"
    talk.report("LIVE-NET-001", `${what}: ${how}.`)
    return
  }
  if (isSuccess(head)) {
    const started = events.some(({ type }) => type === "RUN_STARTED")
    if (started) talk.report(accepted, `${what}: a run began.`, events[0])
    else talk.report("LIVE-INPUT-001", `${what}: HTTP ${head.status} and no run.`, events[0] ?? body)
  } else if (head.status >= 500) {
    talk.report("LIVE-INPUT-004", `${what}: HTTP ${head.status}.`, body)
  }
  if (!isSuccess(head) && (stackTrace.test(body) || stackTrace.test(unescaped(body)))) {
    talk.report("LIVE-INPUT-006", `${what}: the answer has a stack trace.`, body)
  }
}

const unescaped = (text: string): string => text.replaceAll("\\n", "\n")

/** Sends what should be refused. Whatever begins nevertheless is left at once, because it may be a real model. */
const refuse = async (talk: Talk, what: string, body: string, accepted: LiveRuleId): Promise<void> => {
  const request = talk.ask({ ask: "run", body })
  void request.seen(({ type }) => type === "RUN_STARTED").then((began) => began && request.close())
  judgeRefusal(talk, what, await request.done, accepted)
}

/** A plain run: the server is still there. */
const stillThere = async (talk: Talk): Promise<void> => {
  const run = talk.run({ threadId: randomUUID(), messages: [user(talk.prompt)], judge: { dialect: talk.dialect } })
  const { ending, events, head } = await run.done
  if (ending._tag === "Ended" && isSuccess(head) && endOf(events)._tag !== "None") return
  talk.report("LIVE-INPUT-005", "A good request that followed was not answered.", events.at(-1))
}

const without = (input: Item, key: string): Item =>
  Object.fromEntries(Object.entries(input).filter(([name]) => name !== key))

/** The scenarios. */
export const input: ReadonlyArray<LiveScenario> = [
  {
    id: "LIVE-060",
    title: "bad JSON",
    prompt: plainPrompt,
    play: async (talk) => {
      const good = JSON.stringify(talk.input({ threadId: randomUUID(), messages: [user(talk.prompt)] }))
      await refuse(talk, "Half of a body", good.slice(0, good.length / 2), "LIVE-INPUT-002")
      await refuse(talk, "Text that is no JSON", "{'threadId': nope}", "LIVE-INPUT-002")
      await refuse(talk, "An empty body", "", "LIVE-INPUT-002")
      await stillThere(talk)
    }
  },
  {
    id: "LIVE-061",
    title: "wrong types",
    prompt: plainPrompt,
    play: async (talk) => {
      const good = talk.input({ threadId: randomUUID(), messages: [user(talk.prompt)] })
      const wrong: ReadonlyArray<readonly [what: string, body: unknown]> = [
        ["A list instead of an object", [good]],
        ["null instead of an object", null],
        ["A threadId that is a number", { ...good, threadId: 7 }],
        ["A runId that is an object", { ...good, runId: {} }],
        ["messages that are a string", { ...good, messages: talk.prompt }],
        ["A message that is null", { ...good, messages: [null] }],
        ["A message of a role nobody has", { ...good, messages: [{ ...user(talk.prompt), role: "martian" }] }],
        ["A user message whose content is a number", { ...good, messages: [{ ...user(""), content: 7 }] }],
        ["tools that are an object", { ...good, tools: { name: "x" } }]
      ]
      for (const [what, body] of wrong) await refuse(talk, what, JSON.stringify(body), "LIVE-INPUT-003")
      await stillThere(talk)
    }
  },
  {
    id: "LIVE-062",
    title: "missing fields",
    prompt: plainPrompt,
    play: async (talk) => {
      const good = talk.input({ threadId: randomUUID(), messages: [user(talk.prompt)] })
      for (const key of ["threadId", "runId", "messages"]) {
        await refuse(talk, `No ${key}`, JSON.stringify(without(good, key)), "LIVE-INPUT-003")
      }
      await refuse(talk, "An empty object", "{}", "LIVE-INPUT-003")
      await stillThere(talk)
    }
  },
  {
    id: "LIVE-063",
    title: "oversized body",
    prompt: plainPrompt,
    play: async (talk) => {
      // Where no model sees it: a prompt of this size would cost money.
      const more = { forwardedProps: { padding: "x".repeat(oversized) } }
      const body = JSON.stringify(talk.input({ threadId: randomUUID(), messages: [user(talk.prompt)], more }))
      const request = talk.ask({ ask: "run", body })
      void request.seen(({ type }) => type === "RUN_STARTED").then((began) => began && request.close())
      const answer = await request.done
      // Some servers refuse by hanging up in the middle of the body.
      const hungUp = answer.head === undefined && answer.ending._tag === "Broken"
      if (isSuccess(answer.head)) {
        talk.report("LIVE-INPUT-007", `A body of ${oversized / 1024 / 1024} MB was accepted.`)
      } else if (!hungUp) judgeRefusal(talk, "An oversized body", answer, "LIVE-INPUT-007")
      await stillThere(talk)
    }
  },
  {
    id: "LIVE-064",
    title: "unknown agent",
    prompt: plainPrompt,
    transports: copilotKit,
    play: async (talk) => {
      const agent = `nobody-${randomUUID().slice(0, 8)}`
      const body = JSON.stringify(talk.input({ threadId: randomUUID(), messages: [user(talk.prompt)] }))
      const answer = await talk.ask({ ask: "run", body }, { ...talk.target, agent }).done
      judgeRefusal(talk, "An agent that does not exist", answer, "LIVE-AGENT-001")
      const status = answer.head?.status
      if (status !== undefined && status >= 400 && status < 500 && status !== 404) {
        talk.report("LIVE-AGENT-002", `It was answered with HTTP ${status}.`, answer.body)
      }
    }
  },
  {
    id: "LIVE-065",
    title: "no token",
    prompt: plainPrompt,
    unless: ({ token }) => (token === undefined ? "no token was given" : undefined),
    play: async (talk) => {
      const body = JSON.stringify(talk.input({ threadId: randomUUID(), messages: [user(talk.prompt)] }))
      const { agent, transport, url } = talk.target
      const nobody = { agent, transport, url }
      for (const [what, target] of [
        ["A request without the token", nobody],
        ["A request with another token", { ...nobody, token: randomUUID() }]
      ] as const) {
        const request = talk.ask({ ask: "run", body }, target)
        void request.seen(({ type }) => type === "RUN_STARTED").then((began) => began && request.close())
        const { head } = await request.done
        if (isSuccess(head)) talk.report("LIVE-AUTH-001", `${what} was served.`)
      }
    }
  }
]
