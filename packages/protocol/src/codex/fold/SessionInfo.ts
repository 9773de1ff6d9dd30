/**
 * What a thread says about itself: in the answers that begin it, in `thread/started` and when its settings change. None
 * of it but its id is relied on.
 */
import type { SessionInfo } from "../../model/Event.ts"
import { fieldsIn, textIn } from "../../wire/Fields.ts"
import type { FoldState, Out } from "./State.ts"

/** What a message says about a thread, under the wire's own names. */
export interface ThreadFacts {
  readonly id: string
  readonly model?: unknown
  readonly cwd?: unknown
  readonly cliVersion?: unknown
  readonly approvalPolicy?: unknown
  readonly modelProvider?: unknown
}

/** Notes what a thread says about itself, and tells it if it is news. */
export const noteSession = (state: FoldState, facts: ThreadFacts, out: Out): FoldState => {
  const before = state.session
  const version = textIn(facts.cliVersion) ?? before?.version
  const mode = modeOf(facts.approvalPolicy) ?? before?.mode
  const session: SessionInfo = {
    ...before,
    sessionId: facts.id,
    model: textIn(facts.model) ?? before?.model ?? "",
    cwd: textIn(facts.cwd) ?? before?.cwd ?? "",
    ...(version !== undefined && { version }),
    ...(mode !== undefined && { mode })
  }
  const provider = textIn(facts.modelProvider) ?? state.provider
  return told({ ...state, provider }, session, out)
}

/** Notes how an MCP server does. */
export const noteServer = (state: FoldState, name: unknown, status: unknown, out: Out): FoldState => {
  if (state.session === undefined || typeof name !== "string") return state
  const others = (state.session.mcpServers ?? []).filter((server) => server.name !== name)
  return told(state, { ...state.session, mcpServers: [...others, { name, status: textIn(status) ?? "" }] }, out)
}

const told = (state: FoldState, session: SessionInfo, out: Out): FoldState => {
  if (JSON.stringify(session) === JSON.stringify(state.session)) return state
  out.push({ type: "session_changed", info: session })
  return { ...state, session }
}

/** How much may be done without asking: a word, or an object whose only key is the word. */
const modeOf = (policy: unknown): string | undefined => textIn(policy) ?? Object.keys(fieldsIn(policy))[0]
