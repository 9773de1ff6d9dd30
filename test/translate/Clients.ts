/**
 * The real clients as judges of a stream of events: `@ag-ui/client` 1.0.0, and 0.0.59 as CopilotKit has it.
 */
import { enforceEvents, transformChunks, verifyEvents } from "@ag-ui/client"
import type { Agui } from "@agentwire/protocol"
import { EventSchemas, transformChunks as transformChunks00, verifyEvents as verifyEvents00 } from "agui-client-059"
import { from, lastValueFrom, toArray } from "rxjs"

type Pipe = Parameters<ReturnType<typeof verifyEvents>>[0]
type Pipe00 = Parameters<ReturnType<typeof verifyEvents00>>[0]

/** Why a client ends the run at this stream, or undefined when it does not. What it would warn of counts, too. */
export const refusal = async (
  events: ReadonlyArray<Agui.AguiEvent>,
  dialect: Agui.Dialect
): Promise<string | undefined> => {
  const warnings: Array<string> = []
  const warn = console.warn
  console.warn = (...words: ReadonlyArray<unknown>) => void warnings.push(words.join(" "))
  try {
    await (dialect === "1.0" ? through10(events) : through00(events))
    return warnings[0]
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    console.warn = warn
  }
}

const through10 = (events: ReadonlyArray<Agui.AguiEvent>): Promise<unknown> =>
  lastValueFrom(
    (from(events) as unknown as Pipe).pipe(enforceEvents(false), transformChunks(false), verifyEvents(false), toArray())
  )

const through00 = (events: ReadonlyArray<Agui.AguiEvent>): Promise<unknown> =>
  lastValueFrom(
    (from(events.map((event) => EventSchemas.parse(event))) as unknown as Pipe00).pipe(
      transformChunks00(false),
      verifyEvents00(false),
      toArray()
    )
  )
