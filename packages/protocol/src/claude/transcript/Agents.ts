/**
 * The sub-agents of a session: which call started each.
 *
 * Each has a file of its own, `<session>/subagents/agent-<id>.jsonl`, and from 2.1.197 on a small one beside it that
 * names the call. Before that, the result of the call names the agent; an agent that was cut off has only the words it
 * was given. 2.0.45 has the files beside the session's; before, the lines were in that, as `isSidechain`.
 */
import { isRecord } from "../../wire/Json.ts"
import { actionOf } from "../fold/Action.ts"
import { fieldsIn, textIn } from "../fold/Fields.ts"
import { answersIn, type TranscriptNode } from "./Node.ts"
import type { TranscriptTree } from "./Tree.ts"

/** The file of a sub-agent. */
export interface AgentFile {
  /** The CLI's id of it: what its file is called by. */
  readonly id: string
  /** Its lines, in the order they were said. */
  readonly nodes: ReadonlyArray<TranscriptNode>
  /** What the file beside it says (`agent-<id>.meta.json`), where there is one. */
  readonly meta?: unknown
}

/** A sub-agent of a session. */
export interface TranscriptAgent {
  readonly id: string
  /** The lane of what it says: the call that started it, or `agent:<id>` where no call is known. */
  readonly lane: string
  /** The call that started it. */
  readonly call: string | undefined
  readonly name: string | undefined
  readonly description: string | undefined
  /** The agent's lines. */
  readonly nodes: ReadonlyArray<TranscriptNode>
}

/** A call that starts a sub-agent. */
interface Launch {
  readonly id: string
  readonly prompt: string | undefined
  readonly name: string | undefined
  readonly description: string | undefined
}

/** The sub-agents of a session, each with its call. */
export const agentsOf = (tree: TranscriptTree, files: ReadonlyArray<AgentFile>): ReadonlyArray<TranscriptAgent> => {
  const all = [...inlineAgents(tree), ...files]
  const nodes = [...tree.nodes.filter(({ isSidechain }) => !isSidechain), ...all.flatMap((file) => file.nodes)]
  const launches = nodes.flatMap(launchesIn)
  const byId = new Map(launches.map((launch) => [launch.id, launch]))
  // An agent that is sent another message is named by the result of that call, too: the first is the one that started it.
  const answered = new Map(nodes.flatMap(answeredAgents).toReversed())
  const claimed = new Set<string>()
  const claim = (call: string | undefined): string | undefined => {
    if (call !== undefined) claimed.add(call)
    return call
  }
  const told = all.map((file) => claim(textIn(fieldsIn(file.meta)["toolUseId"]) ?? answered.get(file.id)))
  const byPrompt = new Map<string, Array<Launch>>()
  for (const launch of launches) {
    if (launch.prompt === undefined || claimed.has(launch.id)) continue
    const same = byPrompt.get(launch.prompt)
    if (same === undefined) byPrompt.set(launch.prompt, [launch])
    else same.push(launch)
  }
  return all.flatMap((file, index): ReadonlyArray<TranscriptAgent> => {
    const prompt = promptOf(file)
    const call = told[index] ?? byPrompt.get(prompt ?? "")?.shift()?.id
    // Nobody asked it anything: 2.0.45 warms up, and keeps what came of it.
    if (call === undefined && prompt === undefined) return []
    const launch = byId.get(call ?? "")
    const meta = fieldsIn(file.meta)
    return [
      {
        id: file.id,
        lane: call ?? `agent:${file.id}`,
        call,
        name: textIn(meta["agentType"]) ?? launch?.name,
        description: textIn(meta["description"]) ?? launch?.description,
        nodes: file.nodes
      }
    ]
  })
}

/** Sub-agents within the session's own file: each by its id, or by its first line. */
const inlineAgents = ({ before, nodes }: TranscriptTree): ReadonlyArray<AgentFile> => {
  const names = new Map<number, string>()
  const agents = new Map<string, Array<TranscriptNode>>()
  for (const node of nodes) {
    if (!node.isSidechain) continue
    const id = node.agent ?? names.get(before[node.index] ?? -1) ?? node.uuid
    names.set(node.index, id)
    const known = agents.get(id)
    if (known === undefined) agents.set(id, [node])
    else known.push(node)
  }
  return [...agents].map(([id, lines]) => ({ id, nodes: lines }))
}

const launchesIn = ({ said }: TranscriptNode): ReadonlyArray<Launch> =>
  said?.name === "assistant"
    ? said.message.message.content.flatMap((block) => {
        if (block.type !== "tool_use" || actionOf(block.name) !== "agent") return []
        const { description, prompt, subagent_type } = fieldsIn(block.input)
        return [{ id: block.id, prompt: textIn(prompt), name: textIn(subagent_type), description: textIn(description) }]
      })
    : []

/** The agent that the result of a call names. */
const answeredAgents = (node: TranscriptNode): ReadonlyArray<readonly [string, string]> => {
  const given = node.said?.name === "user" ? node.said.message.toolUseResult : undefined
  const agent = isRecord(given) ? given["agentId"] : undefined
  const [call] = answersIn(node)
  return typeof agent === "string" && call !== undefined ? [[agent, call]] : []
}

/** What the agent was asked to do. */
const promptOf = ({ nodes }: AgentFile): string | undefined => {
  const first = nodes.find(({ said }) => said?.name === "user")?.said
  const content = first?.name === "user" ? first.message.message.content : undefined
  if (typeof content === "string" || content === undefined) return content
  const [part] = content
  return part?.type === "text" ? part.text : ""
}
