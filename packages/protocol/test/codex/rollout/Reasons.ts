/**
 * Why what was said in a thread differs between its wire and its rollouts: every reason that is known, with the scenarios in
 * which it was seen on 0.166.0. docs/wire/codex.md §7 has the same table.
 */
import type { Compared, Difference } from "./Comparison.ts"

/** A reason for differences. */
export interface Reason {
  readonly name: string
  readonly words: string
  readonly explains: (difference: Difference, compared: Compared) => boolean
}

const isRefused = ({ file, wire }: Difference): boolean =>
  file?.kind === "call" &&
  wire?.kind === "call" &&
  file.arguments !== wire.arguments &&
  file.tool === wire.tool &&
  (file.tool === "commandExecution" || file.tool === "fileChange")

const isFork = ({ session }: Compared): boolean => session?.facts.base !== undefined

/** All reasons, the most particular first. */
export const reasons: ReadonlyArray<Reason> = [
  {
    name: "cut_off",
    words: "A text or thought that was cut off is not in the rollout: only what is complete is.",
    explains: ({ side, wire }) => side === "wire" && wire !== undefined && "abandoned" in wire
  },
  {
    name: "refused_call",
    words:
      "Of a command or a patch that nobody let run there is no item: it is told as the model asked for it, without the shell, the patch with its own paths.",
    explains: (difference) => difference.side === "both" && isRefused(difference)
  },
  {
    name: "task",
    words: "How a command ended that outlived its turn is told by whoever was there.",
    explains: ({ file, wire }) => (file ?? wire)?.kind === "task"
  },
  {
    name: "order",
    words: "Items are written when they are complete: of two at the same time, that which ended first comes first.",
    explains: ({ file, side, wire }) => side === "both" && JSON.stringify(file) === JSON.stringify(wire)
  },
  {
    name: "request_only",
    words: "A call that only a question of the app-server speaks of is in no rollout.",
    explains: ({ side, wire }) =>
      side === "wire" && (wire?.kind === "call" || wire?.kind === "result") && wire.id.startsWith("call_")
  },
  {
    name: "beginning",
    words: "A fork begins with what it is a fork of, which the wire does not repeat.",
    explains: ({ side }, compared) => side === "file" && isFork(compared)
  },
  {
    name: "left_behind",
    words: "A thread that went back is another file, without what it left.",
    explains: ({ side }, compared) => side === "wire" && compared.isReverted
  }
]

/** The reasons of some differences, and what none explains. */
export const explained = (
  compared: Compared
): { readonly reasons: ReadonlyArray<string>; readonly unexplained: ReadonlyArray<Difference> } => {
  const found = new Set<string>()
  const unexplained = compared.differences.filter((difference) => {
    const reason = reasons.find(({ explains }) => explains(difference, compared))
    if (reason !== undefined) found.add(reason.name)
    return reason === undefined
  })
  return { reasons: [...found].sort(), unexplained }
}
