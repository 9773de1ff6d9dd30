/** Messages of one wire on their way to the text of AG-UI, and how much of them may be open at a time. */
import type * as Tape from "@agentwire/protocol/tape"
import type * as Translate from "@agentwire/protocol/translate"
import { Failure } from "../Failure.ts"
import type { WireItem } from "../WireSource.ts"

/** What is written for each event, or at the end. */
export type Format = "ndjson" | "sse" | "messages"

/** A message of a file, and who said it where the file tells. */
export type Message = Exclude<WireItem, { readonly _tag: "Wrong" }>

/** Messages in, text out. */
export interface Fold {
  readonly addMessages: (said: ReadonlyArray<Message>) => string
  readonly finish: (reason: Translate.FinishReason) => string
}

/** Makes the fold of a file, whose header is there with the first message where the file is a tape. */
export type MakeFold = (
  format: Format,
  options: Translate.TranslateOptions,
  header: () => Tape.TapeHeader | undefined
) => Fold

/** How much may be open at a time. What comes next costs as much as is open, and no session has a hundredth of it. */
const maxOpen = 4000

/** Throws a {@link Failure} where more is open than may be. */
export const checkOpen = (
  { fold, writer }: Pick<Translate.State<Translate.RuntimeName>, "fold" | "writer">,
  line: number
): void => {
  const open = sizeOf(fold) + sizeOf(writer)
  if (open <= maxOpen) return
  throw new Failure(
    `line ${line}: more than ${maxOpen} calls, tasks and sub-agents are open. No session of the CLI has that: the file is not one, or damaged.`
  )
}

const sizeOf = (state: object): number =>
  Object.values(state).reduce((sum: number, each: unknown) => sum + (each instanceof Map ? each.size : 0), 0)
