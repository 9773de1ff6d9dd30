/**
 * Keeps every agent of a bridge on a tape of its own, with the recorder of `agentwire record`.
 */
import { accessSync, constants, mkdirSync } from "node:fs"
import { join } from "node:path"
import type { AgentTap, TappedProcess } from "@agentwire/bridge/claude"
import { Failure } from "../Failure.ts"
import { privateFolderMode } from "../ReplaceFile.ts"
import type { RedactionChoice } from "../record/Redaction.ts"
import type { LateTap, Tap } from "../record/TapEvent.ts"
import { startTape } from "../record/Tapes.ts"
import { type RuntimeKind, runtimes } from "../runtime/Runtimes.ts"

/** Options of {@link bridgeTapes}. */
export interface BridgeTapesOptions {
  /** The folder. It is made when there is none. */
  readonly folder: string
  readonly redaction: RedactionChoice
  /** Told when a tape ends before its session. */
  readonly onStop: (message: string) => void
}

/** The tapes of a bridge. */
export interface BridgeTapes {
  /** What begins the tapes of the processes of an agent. */
  readonly tapOf: (runtime: RuntimeKind) => (process: TappedProcess) => AgentTap
  /** Ends all tapes, and tells whether one is stuck: then only SIGKILL ends this process. */
  readonly end: () => Promise<{ readonly stuck: boolean }>
}

/** Starts to keep tapes. Throws a {@link Failure} when nothing can be written into the folder. */
export const bridgeTapes = ({ folder, onStop, redaction }: BridgeTapesOptions): BridgeTapes => {
  prepare(folder)
  const started = new Date().toISOString().replaceAll(":", "-")
  const running = new Set<LateTap>()
  const ending = new Set<Promise<void>>()
  let count = 0
  let stuck = false

  const end = (tape: LateTap): void => {
    running.delete(tape)
    const ended = tape.end().then((outcome) => {
      stuck ||= outcome.stuck
      ending.delete(ended)
    })
    ending.add(ended)
  }

  return {
    tapOf:
      (runtime) =>
      ({ argv: [, ...argv], transport, version }) => {
        // By number: the order of the names is the order in which `--replay` gives them out.
        const path = join(folder, `${started}-${process.pid}-${String(++count).padStart(4, "0")}.tape`)
        const header = { runtime: { name: runtimes[runtime].tapeName, version }, transport, argv } as const
        const tape = startTape({ path, header, redaction, onStop })
        running.add(tape)
        return {
          data: (from, channel, bytes) => note(tape.tap, from, channel, bytes),
          open: (url, headers) => tape.tap({ _tag: "Open", url, headers }),
          exit: ({ code, signal }) => {
            tape.tap({ _tag: "Exit", code, signal })
            end(tape)
          }
        }
      },
    end: async () => {
      for (const tape of running) end(tape)
      await Promise.all(ending)
      return { stuck }
    }
  }
}

const prepare = (folder: string): void => {
  try {
    mkdirSync(folder, { recursive: true, mode: privateFolderMode })
    accessSync(folder, constants.W_OK)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Failure(`Tapes cannot be kept in ${folder}: ${reason}.`, { cause: error })
  }
}

const note = (tap: Tap, ...[from, channel, bytes]: Parameters<AgentTap["data"]>): void => {
  // Messages of a WebSocket keep their borders. The bytes are copied: whoever reads them may use the buffer again.
  if (channel === "ws") tap({ _tag: "Message", from, data: Buffer.from(bytes).toString("utf8") })
  else tap({ _tag: "Data", from, channel, bytes: Uint8Array.from(bytes) })
}
