/** The kinds of agents of the bridge, which of them a thread is with, and how a person chooses for a new one. */
import { createContext, useCallback, useEffect, useRef, useState } from "react"
import type { PageAgent, Server } from "./Server.ts"

/** An agent of which nothing is known. */
export const someAgent: PageAgent = { kind: "", name: "the agent", suggestions: [] }

/** The agent of the open thread. */
export const AgentContext = createContext<PageAgent>(someAgent)

/** What an agent can do that decides what is shown of a question: only Claude Code runs what a person made of a call. */
export const takesEdits = ({ kind }: PageAgent): boolean => kind !== "codex"

/** The agent of a thread. */
export interface ThreadAgent {
  readonly agent: PageAgent
  /** What may be chosen for this thread; empty where it is settled. */
  readonly choices: ReadonlyArray<PageAgent>
  readonly choose: (kind: string) => void
  /** Waits until the server knows what was chosen: a run that comes before would begin the thread without it. */
  readonly isKnown: () => Promise<void>
  /** Why the last choice was refused. */
  readonly refusal: string | undefined
}

/** `new`: nobody has begun the thread. `chosen`: it was made here, with the agent that was chosen. */
interface Settled {
  readonly threadId: string
  readonly kind: string | undefined
  readonly state: "asking" | "new" | "chosen" | "begun"
}

/** The agent of the open thread. A session is made when one is chosen, because a run cannot say what it is with. */
export const useThreadAgent = (server: Server, threadId: string): ThreadAgent => {
  const { agents } = server.settings
  const [settled, setSettled] = useState<Settled>({ threadId, kind: undefined, state: "asking" })
  const [refusal, setRefusal] = useState<string>()
  useEffect(() => {
    if (agents.length < 2) return
    let isOver = false
    setRefusal(undefined)
    setSettled({ threadId, kind: undefined, state: "asking" })
    server.session(threadId).then(
      (session) => {
        if (!isOver) setSettled({ threadId, kind: session?.runtime, state: session === undefined ? "new" : "begun" })
      },
      () => undefined
    )
    return () => {
      isOver = true
    }
  }, [server, threadId, agents])
  const isOpen = settled.threadId === threadId && (settled.state === "new" || settled.state === "chosen")
  // One change after the other: the last choice is what stays.
  const changes = useRef(Promise.resolve())
  const made = useRef<string>(undefined)
  const choose = useCallback(
    (kind: string) => {
      const isDefault = kind === agents[0]?.kind
      setRefusal(undefined)
      // At once, and nothing else on the page changes: who chooses by keyboard keeps the focus.
      setSettled({ threadId, kind, state: isDefault ? "new" : "chosen" })
      changes.current = changes.current
        .then(async () => {
          if (made.current === threadId) await server.remove(threadId)
          made.current = undefined
          if (isDefault) return
          await server.create(threadId, kind)
          made.current = threadId
        })
        .catch((error: unknown) => {
          setSettled({ threadId, kind: undefined, state: "new" })
          setRefusal(error instanceof Error ? error.message : String(error))
        })
    },
    [server, threadId, agents]
  )
  const kind = settled.threadId === threadId ? settled.kind : undefined
  const agent = agents.find((each) => each.kind === kind) ?? agents[0] ?? someAgent
  const isKnown = useCallback(() => changes.current, [])
  return { agent, choices: isOpen ? agents : [], choose, isKnown, refusal }
}
