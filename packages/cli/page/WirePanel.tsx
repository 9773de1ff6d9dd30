/**
 * The wire panel: what the agent and the bridge say to each other, and beside each line the AG-UI events it became, with
 * the rules that an event broke marked on it. The newest rows are shown; older ones are asked for.
 */
import { useContext, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react"
import { AgentContext } from "./Agents.ts"
import type { Feed, FeedEvent, FeedLine, FeedState } from "./Feed.ts"
import type { Finding, Judge } from "./Findings.ts"
import { Json } from "./Json.tsx"
import { pretty } from "./JsonText.ts"
import { keyOf } from "./Place.ts"
import type { Server } from "./Server.ts"
import { everything, gistOf, isWanted, lineGist, rowsOf, typesOf, type WireFilter, type WireRow } from "./WireRows.ts"

/** How many rows are shown at a time. */
const shownRows = 200

/** How many events of a row are shown before it is opened. */
const shownEvents = 4

type Findings = ReadonlyMap<string, ReadonlyArray<Finding>>

const none: Findings = new Map()

/** What the panel is given. */
export interface WirePanelProps {
  readonly feed: Feed
  readonly server: Server
  readonly threadId: string
}

/** The wire panel. */
export const WirePanel = ({ feed, server, threadId }: WirePanelProps) => {
  const { name } = useContext(AgentContext)
  const live = useSyncExternalStore(feed.subscribe, feed.state)
  const [paused, setPaused] = useState<FeedState>()
  const [filter, setFilter] = useState<WireFilter>(everything)
  const [limit, setLimit] = useState(shownRows)
  const { events, lines, status } = paused ?? live
  const findings = useFindings(events)
  const rows = useMemo(() => rowsOf(lines, events), [lines, events])
  const types = useMemo(() => typesOf(rows), [rows])
  const wanted = useMemo(
    () => rows.filter((row) => isWanted(row, filter, (event) => findings.has(keyOf(event)))),
    [rows, filter, findings]
  )
  const shown = wanted.slice(-limit)
  const list = useFollowing(paused === undefined, wanted.length)
  // Hints are marked on their events; they are nothing to worry about.
  const count = [...findings.values()].flat().filter(({ level }) => level !== "info").length
  return (
    <section className="wire" aria-label="Wire">
      <header className="wire-head">
        <h2>Wire</h2>
        <p className="wire-facts" role="status">
          {lines.length} lines, {events.length} events
          {count > 0 && <strong className="wire-count">, {count === 1 ? "1 finding" : `${count} findings`}</strong>}
        </p>
        <div className="wire-actions">
          <button
            type="button"
            className="wire-small"
            aria-pressed={paused !== undefined}
            onClick={() => setPaused(paused === undefined ? live : undefined)}
          >
            {paused === undefined ? "Pause" : "Follow"}
          </button>
          <Download server={server} threadId={threadId} isEmpty={lines.length === 0} />
        </div>
      </header>
      <Filters filter={filter} set={setFilter} types={types} />
      <div className="wire-columns" aria-hidden="true">
        <span>{name}</span>
        <span>AG-UI</span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <ol className="wire-rows" ref={list} tabIndex={0} aria-label="Lines and events">
        {wanted.length > shown.length && (
          <li className="wire-more">
            <button type="button" onClick={() => setLimit(limit + shownRows)}>
              Show {Math.min(shownRows, wanted.length - shown.length)} earlier rows
            </button>
          </li>
        )}
        {shown.map((row) => (
          <Row key={row.key} row={row} findings={findings} />
        ))}
        {shown.length === 0 && <li className="wire-empty">{emptyWords(status, rows.length > 0)}</li>}
      </ol>
    </section>
  )
}

const emptyWords = (status: FeedState["status"], isFiltered: boolean): string => {
  if (isFiltered) return "Nothing matches the filter."
  return status === "gone"
    ? "The server is gone. The panel continues when it is back."
    : "Nothing yet. The lines of this thread appear here with its first message."
}

/** Loads the checker once, when there is something to judge. */
const useFindings = (events: ReadonlyArray<FeedEvent>): Findings => {
  const judge = useRef<Judge>(undefined)
  const [isLoaded, setLoaded] = useState(false)
  const isNeeded = events.length > 0
  useEffect(() => {
    if (!isNeeded || judge.current !== undefined) return
    void import("./Findings.ts").then(({ makeJudge }) => {
      judge.current ??= makeJudge(["setAccent"])
      setLoaded(true)
    })
  }, [isNeeded])
  return useMemo(() => (isLoaded ? (judge.current?.look(events) ?? none) : none), [events, isLoaded])
}

/** Keeps a list at its end while it follows. */
const useFollowing = (isFollowing: boolean, length: number) => {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const element = list.current
    if (isFollowing && element !== null) element.scrollTop = element.scrollHeight
  }, [isFollowing, length])
  return list
}

interface FiltersProps {
  readonly filter: WireFilter
  readonly set: (filter: WireFilter) => void
  readonly types: ReadonlyArray<string>
}

const Filters = ({ filter, set, types }: FiltersProps) => (
  <search className="wire-filters">
    <input
      type="search"
      className="wire-small"
      aria-label="Text to look for"
      placeholder="Filter by text"
      value={filter.text}
      onChange={(event) => set({ ...filter, text: event.target.value })}
    />
    <select
      className="wire-small"
      aria-label="Direction"
      value={filter.from}
      onChange={(event) => set({ ...filter, from: event.target.value as WireFilter["from"] })}
    >
      <option value="">Both directions</option>
      <option value="agent">From the agent</option>
      <option value="host">To the agent</option>
    </select>
    <select
      className="wire-small"
      aria-label="Type"
      value={filter.type}
      onChange={(event) => set({ ...filter, type: event.target.value })}
    >
      <option value="">All types</option>
      {types.map((type) => (
        <option key={type}>{type}</option>
      ))}
    </select>
    <label>
      <input
        type="checkbox"
        checked={filter.findingsOnly}
        onChange={(event) => set({ ...filter, findingsOnly: event.target.checked })}
      />
      Findings only
    </label>
  </search>
)

const Row = ({ findings, row: { events, kind, line } }: { readonly row: WireRow; readonly findings: Findings }) => {
  const [isOpen, setOpen] = useState(false)
  const shown = isOpen ? events : events.slice(0, shownEvents)
  return (
    <li className="wire-row" data-from={line?.from ?? "none"}>
      <div className="wire-line">
        {line === undefined ? <span className="quiet">the bridge</span> : <Line line={line} kind={kind} />}
      </div>
      <div className="wire-events">
        {shown.map((event) => (
          <Event key={keyOf(event)} event={event} findings={findings.get(keyOf(event)) ?? []} />
        ))}
        {events.length > shown.length && (
          <button type="button" className="wire-more-events" onClick={() => setOpen(true)}>
            {events.length - shown.length} more events
          </button>
        )}
      </div>
    </li>
  )
}

const arrows = { agent: "←", host: "→" } as const
const directions = { agent: "from the agent", host: "to the agent" } as const

const Line = ({ kind, line }: { readonly line: FeedLine; readonly kind: string }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="wire-item" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span className="wire-arrow" role="img" aria-label={directions[line.from]}>
          {arrows[line.from]}
        </span>
        <span className="wire-type">{kind}</span>
        <span className="wire-gist">{lineGist(line)}</span>
      </button>
      {isOpen && (
        <>
          <p className="wire-at">
            line {line.seq}, {new Date(line.at).toISOString().slice(11, 23)}
          </p>
          <Json text={pretty(line.line)} />
        </>
      )}
    </>
  )
}

const Event = ({ event, findings }: { readonly event: FeedEvent; readonly findings: ReadonlyArray<Finding> }) => {
  const [isOpen, setOpen] = useState(false)
  const shown = findings.filter(({ level }) => isOpen || level !== "info")
  return (
    <>
      <button
        type="button"
        className="wire-item"
        aria-expanded={isOpen}
        data-finding={findings.find(({ level }) => level !== "info")?.level}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="wire-type">{event.event.type}</span>
        <span className="wire-gist">{gistOf(event)}</span>
      </button>
      {shown.map(({ level, message, rule }) => (
        <p className="wire-finding" data-level={level} key={`${rule} ${message}`}>
          <strong>{rule}</strong> {message}
        </p>
      ))}
      {isOpen && (
        <>
          <p className="wire-at">event {event.seq}</p>
          <Json text={JSON.stringify(event.event, null, 2)} />
        </>
      )}
    </>
  )
}

interface DownloadProps extends Pick<WirePanelProps, "server" | "threadId"> {
  readonly isEmpty: boolean
}

const Download = ({ isEmpty, server, threadId }: DownloadProps) => {
  const [wrong, setWrong] = useState(false)
  const save = async (): Promise<void> => {
    setWrong(false)
    const url = URL.createObjectURL(await server.tape(threadId))
    const link = document.createElement("a")
    link.href = url
    link.download = `${threadId.replace(/[^\w.-]/g, "_")}.tape`
    link.click()
    URL.revokeObjectURL(url)
  }
  return (
    <button
      type="button"
      className="wire-small"
      disabled={isEmpty}
      onClick={() => void save().catch(() => setWrong(true))}
    >
      {wrong ? "No tape: try again" : "Download tape"}
    </button>
  )
}
