/**
 * Where a scenario is played: a home and a project that are gone afterwards, and both model APIs on loopback, so that
 * the server finds the one it asks, without an account.
 */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { makeCodexHome, startModel, startResponses } from "@agentwire/fixtures"
import { type Beat, messagesReply, responsesReply } from "./Script.ts"

/** A place to play at. */
export interface Stage {
  /** The folder that all of it is in; it is the home, too. */
  readonly folder: string
  readonly project: string
  readonly env: Readonly<Record<string, string>>
  /** What a file of the project holds; null when there is none. */
  readonly read: (path: string) => Promise<string | null>
  readonly close: () => Promise<void>
}

/** Where a server may find the token that its WebSockets ask for, if they do. */
const tokenVariable = "AGENTWIRE_TOKEN"

/** The token of every server that is started here. It is worth nothing: it is for loopback, and gone with the stage. */
export const stageToken = "conform-0123456789abcdef0123456789abcdef"

const done: Beat = { say: ["Done."] }

/** What the model says in the conversations whose prompts, or instructions, hold a text. */
export interface Lane {
  readonly match: string
  readonly beats: ReadonlyArray<Beat>
}

/** Makes a stage where the model says this, and "Done." after it. The first lane that matches wins. */
export const makeStage = async (beats: ReadonlyArray<Beat>, lanes: ReadonlyArray<Lane> = []): Promise<Stage> => {
  const responses = await startResponses(beats.map(responsesReply), {
    lanes: lanes.map((lane) => ({ match: lane.match, replies: lane.beats.map(responsesReply) }))
  })
  const home = await makeCodexHome(responses.url)
  const said = (all: ReadonlyArray<Beat>) => [...all, done].map((beat) => messagesReply(beat, home.cwd))
  const messages = await startModel({
    script: { replies: said(beats), lanes: lanes.map((lane) => ({ match: lane.match, replies: said(lane.beats) })) }
  })
  return {
    folder: home.folder,
    project: home.cwd,
    env: {
      ...home.env,
      [tokenVariable]: stageToken,
      ANTHROPIC_BASE_URL: messages.url,
      ANTHROPIC_API_KEY: "sk-dummy-000000000000000000000000",
      DISABLE_TELEMETRY: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1"
    },
    read: (path) =>
      readFile(join(home.cwd, path), "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return null
        throw error
      }),
    close: async () => {
      await Promise.all([responses.close(), messages.close()])
      await home.remove()
    }
  }
}
