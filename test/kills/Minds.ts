/** Who answers the prompts behind the bridges of a world: a scripted program, or a real CLI before a scripted model. */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { installCli, type JsonObject, type Reply, startModel } from "@agentwire/fixtures"
import { says, saysWith, text, tool } from "@agentwire/fixtures/scenario"
import { requestText } from "../bridge/OnBridge.ts"

/** Agents of a kind. */
export interface Mind {
  readonly program: string
  /** Its environment, given the folder of the world. */
  readonly env: (root: string) => Readonly<Record<string, string>>
  /** The marks of the prompts that the agent knew when it was asked to recall: by what it said, or what its model got. */
  readonly remembered: (recallMark: string, said: string) => ReadonlyArray<string>
  /** What prompts may ask for. */
  readonly orders: ReadonlyArray<string>
  /** How each conversation begins; default: as any prompt. */
  readonly first?: string
  /** How many words the answer to an order has that wants so many. */
  readonly wordsOf: (order: string, wanted: number) => number
  /** How often a question is answered with yes. */
  readonly approves: number
  readonly close: () => Promise<void>
}

/**
 * How the scripted program keeps a conversation: at once, or as CLIs do: from the end of its first answer on, or a moment
 * after each line was said.
 */
export type Keeps = "at once" | "late" | "lagging"

/** The scripted program. */
export const scriptedMind = (keeps: Keeps): Mind => ({
  program: fileURLToPath(new URL("ScriptedCli.mjs", import.meta.url)),
  env: () => (keeps === "at once" ? {} : { KEEPS: keeps }),
  remembered: (_, said) => (/I remember (.*)\./.exec(said)?.[1] ?? "").split(" ").filter(Boolean),
  orders: ["talk", "talk", "ask", "page"],
  wordsOf: (order, wanted) => (order === "recall" ? 0 : wanted),
  approves: 0.7,
  close: async () => undefined
})

/** How many prompts a thread of a world may have, and how many words an answer may. */
const most = { prompts: 60, words: 16 }

/**
 * The model knows a request by its first or last prompt. One with the result of a tool has it in neither: it is answered as the
 * first prompt of the conversation is for the second time, which wants no words.
 */
const afterCall = says("Well.")

/** What the model says to a prompt: as the scripted program does. */
const repliesTo = (mark: string, kind: string, count: number): ReadonlyArray<Reply> => {
  const words = (from: number, until: number): ReadonlyArray<string> =>
    Array.from({ length: until - from }, (_, n) => `${mark}:${from + n} `)
  const slow = { dripMs: 3 }
  if (kind === "recall") return [says("I remember.")]
  if (kind === "talk") return [saysWith(slow, text(...words(0, count))), afterCall]
  const call = tool("Bash", { command: `touch ${mark}`, description: "Make a file" })
  return [saysWith(slow, text(...words(0, 1)), call), afterCall]
}

/** A real CLI of a version, before a model that says what the prompts ask for. */
export const realMind = async (version: string, threads: number): Promise<Mind> => {
  const asked: Array<JsonObject> = []
  // Later prompts first: the model looks into the first message of a conversation, too.
  const lanes = Array.from({ length: threads }, (_, thread) =>
    Array.from({ length: most.prompts }, (_, n) => `t${thread + 1}.${most.prompts - n}`)
  )
    .flat()
    .flatMap((mark) =>
      [
        "recall",
        ...["talk", "ask"].flatMap((kind) => Array.from({ length: most.words }, (_, n) => `${kind} ${n}.`))
      ].map((order) => {
        const [kind = "", count] = order.split(/[ .]/)
        return { match: `[${mark}] ${order}`, replies: repliesTo(mark, kind, Number(count)) }
      })
    )
  const model = await startModel({
    script: { replies: [says("Nobody's.")], lanes },
    onRequest: (path, body) => void (path === "/v1/messages" && asked.push(body))
  })
  const { args, program } = await installCli(version)
  return {
    program: args[0] ?? program,
    env: (root) => ({
      TMPDIR: root,
      HOME: join(root, "home"),
      ANTHROPIC_API_KEY: "sk-dummy-000000000000000000000000",
      ANTHROPIC_BASE_URL: model.url,
      DISABLE_TELEMETRY: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1"
    }),
    remembered: (recallMark) => {
      const request = asked.findLast((body) => requestText(body).includes(`[${recallMark}] recall`))
      return [...requestText(request).matchAll(/\[(t\d+\.\d+)\] \w+/g)].map(([, mark = ""]) => mark)
    },
    orders: ["talk", "talk", "ask"],
    // A request for a title has the first prompt, too, and must not take its answer.
    first: "recall",
    wordsOf: (order, wanted) => (order === "ask" ? 1 : order === "recall" ? 0 : wanted),
    approves: 0.7,
    close: model.close
  }
}
