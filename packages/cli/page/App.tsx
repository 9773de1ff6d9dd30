/** The page: what runs at the top, then threads, chat and wire, side by side or as tabs where there is no room. */
import { useCallback, useEffect, useState } from "react"
import { forgetToken, keepToken, newThreadId, openThread, useThread } from "./Address.ts"
import { AgentContext, type ThreadAgent, useThreadAgent } from "./Agents.ts"
import { Chat } from "./Chat.tsx"
import { type Feed, openFeed } from "./Feed.ts"
import { problemOf } from "./Problem.ts"
import { ProblemCard } from "./ProblemCard.tsx"
import { type AgentInfo, makeServer, type PageSettings, Refused, type Server, type SessionItem } from "./Server.ts"
import { Threads } from "./Threads.tsx"
import { TokenForm } from "./TokenForm.tsx"
import { WirePanel } from "./WirePanel.tsx"

type Entrance =
  | { readonly _tag: "Asking" }
  | { readonly _tag: "Inside"; readonly info: AgentInfo }
  | { readonly _tag: "Token"; readonly wasRefused: boolean }
  | { readonly _tag: "Gone" }

/** The page, once it knows its settings. */
export const App = ({
  settings,
  token: first
}: {
  readonly settings: PageSettings
  readonly token: string | undefined
}) => {
  const [token, setToken] = useState(first)
  const [server, setServer] = useState(() => makeServer(settings, first))
  const [entrance, setEntrance] = useState<Entrance>({ _tag: "Asking" })
  const enter = useCallback(async (): Promise<void> => {
    try {
      setEntrance({ _tag: "Inside", info: await server.info() })
    } catch (error) {
      const code = error instanceof Refused ? error.code : "SERVER_GONE"
      setEntrance(code === "UNAUTHORIZED" ? { _tag: "Token", wasRefused: token !== undefined } : { _tag: "Gone" })
    }
  }, [server, token])
  useEffect(() => void enter(), [enter])

  switch (entrance._tag) {
    case "Asking":
      return <p className="gate quiet">Asking the server…</p>
    case "Token":
      return (
        <TokenForm
          wasRefused={entrance.wasRefused}
          enter={(next) => {
            keepToken(next)
            setToken(next)
            setServer(makeServer(settings, next))
          }}
        />
      )
    case "Gone":
      return (
        <main className="gate">
          <ProblemCard problem={problemOf("SERVER_GONE")}>
            <button type="button" onClick={() => void enter()}>
              Try again
            </button>
          </ProblemCard>
        </main>
      )
    case "Inside":
      return (
        <Inside
          server={server}
          info={entrance.info}
          onRefused={() => {
            forgetToken()
            setEntrance({ _tag: "Token", wasRefused: true })
          }}
        />
      )
  }
}

const tabs = { threads: "Threads", chat: "Chat", wire: "Wire" } as const

type Tab = keyof typeof tabs

interface InsideProps {
  readonly server: Server
  readonly info: AgentInfo
  readonly onRefused: () => void
}

const Inside = ({ info, onRefused, server }: InsideProps) => {
  const threadId = useThread()
  const [tab, setTab] = useState<Tab>("chat")
  const threadAgent = useThreadAgent(server, threadId)
  const { agent } = threadAgent
  const isFirst = agent.kind === (server.settings.agents[0]?.kind ?? "")
  const feed = useFeed(server, threadId)
  const { isGone, look, returns, sessions } = useSessions(server, onRefused)
  const remove = async (removed: string): Promise<void> => {
    await server.remove(removed)
    if (removed === threadId) openThread(newThreadId())
    look()
  }
  return (
    <AgentContext value={agent}>
      <div className="page" data-tab={tab}>
        <header className="top">
          <h1>agentwire</h1>
          <p className="agent">{headline(threadAgent, info, isFirst)}</p>
          <nav className="tabs" aria-label="Parts of the page">
            {(Object.keys(tabs) as ReadonlyArray<Tab>).map((name) => (
              <button key={name} type="button" aria-pressed={tab === name} onClick={() => setTab(name)}>
                {tabs[name]}
              </button>
            ))}
          </nav>
        </header>
        {isGone && (
          <div className="gone">
            <ProblemCard problem={problemOf("SERVER_GONE")}>
              <button type="button" onClick={look}>
                Try again
              </button>
            </ProblemCard>
          </div>
        )}
        <Threads
          server={server}
          threadId={threadId}
          sessions={sessions}
          remove={remove}
          onOpen={() => {
            setTab("chat")
            look()
          }}
        />
        <main className="chat" aria-label="Chat">
          {feed !== undefined && (
            <Chat
              key={`${threadId} ${returns}`}
              server={server}
              threadId={threadId}
              feed={feed}
              threadAgent={threadAgent}
              onRun={look}
            />
          )}
        </main>
        {feed !== undefined && <WirePanel key={threadId} feed={feed} server={server} threadId={threadId} />}
      </div>
    </AgentContext>
  )
}

/** What runs: in the words of the server, which are about the first kind; the demo is a demo whichever it is. */
const headline = ({ agent: { name, suggestions } }: ThreadAgent, info: AgentInfo, isFirst: boolean): string => {
  if (isFirst) return info.description === "" ? info.name : info.description
  return suggestions.length > 0 ? `${name}, ${info.description}` : name
}

const useFeed = (server: Server, threadId: string): Feed | undefined => {
  const [open, setOpen] = useState<{ readonly feed: Feed; readonly threadId: string }>()
  useEffect(() => {
    const feed = openFeed(server, threadId)
    setOpen({ feed, threadId })
    return feed.close
  }, [server, threadId])
  return open?.threadId === threadId ? open.feed : undefined
}

const lookEveryMs = 5000

/** The sessions, looked for again and again, which also tells whether the server is there. */
const useSessions = (server: Server, onRefused: () => void) => {
  const [sessions, setSessions] = useState<ReadonlyArray<SessionItem>>()
  const [isGone, setGone] = useState(false)
  const [returns, setReturns] = useState(0)
  const [asked, setAsked] = useState(0)
  const look = useCallback(() => setAsked((count) => count + 1), [])
  useEffect(() => {
    let isOver = false
    const ask = async (): Promise<void> => {
      try {
        const found = await server.sessions()
        if (isOver) return
        setSessions(found)
        setGone(false)
        if (isGone) setReturns((count) => count + 1)
      } catch (error) {
        if (isOver || !(error instanceof Refused)) return
        if (error.code === "UNAUTHORIZED") onRefused()
        else setGone(error.code === "SERVER_GONE")
      }
    }
    void ask()
    const timer = setInterval(() => void (document.hidden || ask()), isGone ? 1500 : lookEveryMs)
    return () => {
      isOver = true
      clearInterval(timer)
    }
  }, [server, asked, isGone])
  return { sessions, isGone, look, returns }
}
