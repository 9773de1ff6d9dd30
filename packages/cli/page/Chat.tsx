/**
 * The chat: CopilotKit's own, with cards for tools, a dialog for questions, a tool that changes the page, ways back to
 * earlier messages, and words for what goes wrong, of which CopilotKit shows nothing (docs/wire/ag-ui.md §4.6).
 */
import type {
  CopilotChatInput,
  CopilotChatMessageViewProps,
  CopilotChatUserMessage,
  Message
} from "@copilotkit/react-core/v2"
import {
  CopilotChat,
  CopilotChatMessageView,
  CopilotKitProvider,
  defineToolCallRenderer,
  useAgent,
  useCopilotKit,
  useFrontendTool
} from "@copilotkit/react-core/v2"
import { createContext, useContext, useEffect, useMemo, useRef, useState } from "react"
import { z } from "zod"
import { setAccent } from "./Accent.ts"
import { isSingleEndpoint } from "./Address.ts"
import { AgentChoice } from "./AgentChoice.tsx"
import { AgentContext, someAgent, type ThreadAgent } from "./Agents.ts"
import { settleAnswers } from "./Answers.ts"
import { useApprovals } from "./Approval.tsx"
import type { Feed } from "./Feed.ts"
import { UserMessage, useGoingBack } from "./GoingBack.tsx"
import { type Problem, problemFrom } from "./Problem.ts"
import { ProblemCard } from "./ProblemCard.tsx"
import type { Server } from "./Server.ts"
import { ChatInput, SteeringContext } from "./Steering.tsx"
import { ownerOf, ToolCard } from "./ToolCard.tsx"

const renderToolCalls = [defineToolCallRenderer({ name: "*", render: (props) => <ToolCard {...props} /> })]

/** What the chat is given. */
export interface ChatProps {
  readonly server: Server
  readonly threadId: string
  readonly feed: Feed
  readonly threadAgent: ThreadAgent
  /** Told when a run began or ended. */
  readonly onRun: () => void
}

interface ChatState {
  readonly threadAgent: ThreadAgent
  readonly problem: Problem | undefined
  readonly dismiss: () => void
}

const ChatContext = createContext<ChatState>({
  threadAgent: {
    agent: someAgent,
    choices: [],
    choose: () => undefined,
    isKnown: () => Promise.resolve(),
    refusal: undefined
  },
  problem: undefined,
  dismiss: () => undefined
})

/** The chat of a thread. */
export const Chat = ({ feed, onRun, server, threadAgent, threadId }: ChatProps) => {
  const [problem, setProblem] = useState<Problem>()
  const { settings } = server
  const state = useMemo(() => ({ threadAgent, problem, dismiss: () => setProblem(undefined) }), [threadAgent, problem])
  const steering = useMemo(() => ({ server, threadId }), [server, threadId])
  return (
    <CopilotKitProvider
      runtimeUrl={`${location.origin}${settings.basePath}`}
      headers={{ ...server.headers }}
      useSingleEndpoint={isSingleEndpoint()}
      enableInspector={false}
      renderToolCalls={renderToolCalls}
      onError={(failure) => {
        const next = problemFrom(failure)
        // A failed run is reported twice; the first knows more.
        if (next !== undefined) setProblem((now) => (next.code === "RUN_FAILED" ? (now ?? next) : next))
      }}
    >
      <ChatContext.Provider value={state}>
        <SteeringContext.Provider value={steering}>
          <Conversation
            feed={feed}
            threadId={threadId}
            onRun={onRun}
            onStart={() => setProblem(undefined)}
            isKnown={threadAgent.isKnown}
          />
        </SteeringContext.Provider>
      </ChatContext.Provider>
    </CopilotKitProvider>
  )
}

interface ConversationProps extends Pick<ChatProps, "feed" | "threadId" | "onRun"> {
  readonly onStart: () => void
  readonly isKnown: ThreadAgent["isKnown"]
}

const labels = { chatInputPlaceholder: "Write to the agent…", chatDisclaimerText: "" }

const Conversation = ({ feed, isKnown, onRun, onStart, threadId }: ConversationProps) => {
  const { agent } = useAgent()
  const approvals = useApprovals()
  useFrontendTool({
    name: "setAccent",
    description: "Changes the colour of the page the user looks at.",
    parameters: z.object({ color: z.string().describe("A CSS colour, such as teal or #0a7") }),
    handler: async ({ color }) => setAccent(color)
  })
  useForeignRuns(feed)

  const prompt = agent.messages.find(({ role }) => role === "user")?.content
  const { isRunning } = agent
  const told = useRef({ isKnown, onRun, onStart })
  told.current = { isKnown, onRun, onStart }
  useEffect(() => {
    // The server has a title for the thread now.
    if (typeof prompt === "string") told.current.onRun()
  }, [threadId, prompt])
  useEffect(() => {
    feed.wake()
    told.current.onRun()
  }, [feed, isRunning])
  useEffect(() => {
    const { unsubscribe } = agent.subscribe({
      ...settleAnswers,
      // The run waits for it.
      onRunInitialized: async () => {
        told.current.onStart()
        await told.current.isKnown()
      }
    })
    return unsubscribe
  }, [agent])
  return (
    <>
      <CopilotChat
        threadId={threadId}
        labels={labels}
        welcomeScreen={false}
        messageView={MessageView as typeof CopilotChatMessageView}
        input={ChatInput as typeof CopilotChatInput}
      />
      {approvals}
    </>
  )
}

/**
 * A run that another tab began is joined, as a page that is loaded does: CopilotKit looks only once, when it begins.
 */
const useForeignRuns = (feed: Feed): void => {
  const { agent, isReady } = useAgent()
  const { copilotkit } = useCopilotKit()
  useEffect(() => {
    if (!isReady) return
    // The ids of the runs that were begun here and are not in the feed yet. An answer has the id of its question's run.
    const own: Array<string> = []
    let seen = startsIn(feed).at(-1)?.seq ?? -1
    const { unsubscribe } = agent.subscribe({ onRunInitialized: ({ input }) => void own.push(input.runId) })
    const unfollow = feed.subscribe(() => {
      const starts = startsIn(feed).filter(({ seq }) => seq > seen)
      const foreign = starts.filter(({ event }) => {
        const place = own.indexOf(String(event["runId"]))
        if (place >= 0) own.splice(place, 1)
        return place < 0
      })
      // Runs from before the page was loaded are in what it loaded.
      const isNew = foreign.length > 0 && (seen >= 0 || isRunOpen(feed) || agent.messages.length === 0)
      seen = starts.at(-1)?.seq ?? seen
      if (!isNew || agent.isRunning) return
      // What is still to be answered comes with the conversation.
      agent.pendingInterrupts = []
      void copilotkit.connectAgent({ agent })
    })
    return () => {
      unsubscribe()
      unfollow()
    }
  }, [agent, copilotkit, feed, isReady])
}

const startsIn = (feed: Feed) => feed.state().events.filter(({ event }) => event.type === "RUN_STARTED")

const isRunOpen = (feed: Feed): boolean => {
  const bounds = ["RUN_STARTED", "RUN_FINISHED", "RUN_ERROR"]
  return feed.state().events.findLast(({ event }) => bounds.includes(event.type))?.event.type === "RUN_STARTED"
}

const isInCard = (message: Message): boolean =>
  ownerOf(message) !== undefined || (message.role === "activity" && message.activityType === "task")

/** The messages, without those of sub-agents, which are in the cards of the calls that started them. */
const MessageView = ({ isRunning = false, messages = [] }: CopilotChatMessageViewProps) => {
  const { dismiss, problem } = useContext(ChatContext)
  const { agent } = useAgent()
  const { copilotkit } = useCopilotKit()
  const { regenerate } = useGoingBack()
  const own = useMemo(() => messages.filter((message) => !isInCard(message)), [messages])
  const last = messages.findLast(({ role }) => role === "user")
  const sendAgain = (): void => {
    dismiss()
    // What a busy thread refused, the agent has not seen.
    if (problem?.code !== "THREAD_BUSY" && last?.role === "user") agent.addMessage({ ...last, id: crypto.randomUUID() })
    void copilotkit.runAgent({ agent })
  }
  return (
    <>
      {messages.length === 0 && !isRunning ? (
        <Welcome />
      ) : (
        <CopilotChatMessageView
          messages={own}
          isRunning={isRunning}
          assistantMessage={{ onRegenerate: regenerate }}
          userMessage={UserMessage as typeof CopilotChatUserMessage}
        />
      )}
      {problem !== undefined && (
        <ProblemCard problem={problem}>
          {last !== undefined && problem.code !== "UNAUTHORIZED" && (
            <button type="button" onClick={sendAgain} disabled={isRunning}>
              Send again
            </button>
          )}
          <button type="button" onClick={dismiss}>
            Dismiss
          </button>
        </ProblemCard>
      )}
    </>
  )
}

const Welcome = () => {
  const { threadAgent } = useContext(ChatContext)
  const { name, suggestions } = useContext(AgentContext)
  const { agent, isReady } = useAgent()
  const { copilotkit } = useCopilotKit()
  return (
    <div className="welcome">
      <h2>{suggestions.length > 0 ? "Try one of these" : "A new thread"}</h2>
      <p>
        {suggestions.length > 0
          ? `The demo agent plays recorded sessions of ${name}. Watch the wire beside the chat while it does.`
          : "Write to the agent below. What travels between it and this page is shown beside the chat."}
      </p>
      <AgentChoice {...threadAgent} />
      <ul>
        {suggestions.map(({ prompt, title }) => (
          <li key={prompt}>
            <button
              type="button"
              className="welcome-button"
              disabled={!isReady}
              onClick={() => {
                agent.addMessage({ id: crypto.randomUUID(), role: "user", content: prompt })
                void copilotkit.runAgent({ agent })
              }}
            >
              <strong>{title}</strong>
              <span className="welcome-prompt">{prompt}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
