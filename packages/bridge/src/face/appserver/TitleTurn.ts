/**
 * The turn in which a client is given a title: told as any other, and over at once.
 */
import type { ParamsOf } from "@agentwire/protocol/codex"
import { isRecord } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import type { Listener } from "./Shared.ts"
import { newId } from "./ThreadIds.ts"
import type { WireTurn } from "./ThreadView.ts"
import { titleAnswer } from "./TitleThread.ts"

type Input = ParamsOf<"turn/start">["input"]
type Item = WireTurn["items"][number]

const wordsOf = (input: ReadonlyArray<unknown>): string =>
  input.flatMap((part) => (isRecord(part) && typeof part["text"] === "string" ? [part["text"]] : [])).join("\n")

/** Tells the whole turn. */
export const tellTitle = (
  { notify }: Pick<Listener, "notify">,
  threadId: string,
  turnId: string,
  input: Input,
  now: number
): Effect.Effect<void> =>
  Effect.gen(function* () {
    const answer = titleAnswer(wordsOf(input))
    const at = { startedAtMs: now, completedAtMs: now }
    const prompt: Item = { type: "userMessage", id: newId(now), clientId: null, content: [...input], ...at }
    const message = (text: string): Item => ({
      type: "agentMessage",
      id: `title-${turnId}`,
      text,
      phase: null,
      memoryCitation: null,
      delivery: null,
      questions: null,
      ...at
    })
    const turn = (status: WireTurn["status"], items: ReadonlyArray<Item>): WireTurn => ({
      id: turnId,
      rootTurnId: turnId,
      items,
      itemsView: items.length === 0 ? "notLoaded" : "summary",
      status,
      error: null,
      startedAt: Math.floor(now / 1000),
      completedAt: status === "completed" ? Math.floor(now / 1000) : null,
      durationMs: status === "completed" ? 0 : null
    })
    yield* notify("thread/status/changed", { threadId, status: { type: "active", activeFlags: [] } })
    yield* notify("turn/started", { threadId, turn: turn("inProgress", []) })
    for (const item of [prompt, message(answer)]) {
      const started = item.type === "agentMessage" ? message("") : item
      yield* notify("item/started", { item: started, threadId, turnId, startedAtMs: now })
      if (item.type === "agentMessage")
        yield* notify("item/agentMessage/delta", { threadId, turnId, itemId: `title-${turnId}`, delta: answer })
      yield* notify("item/completed", { item, threadId, turnId, completedAtMs: now })
    }
    yield* notify("thread/status/changed", { threadId, status: { type: "idle" } })
    yield* notify("turn/completed", { threadId, turn: turn("completed", [message(answer)]) })
  })
