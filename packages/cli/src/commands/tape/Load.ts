/** Reads a tape for a command, whole or as it comes, or says why it cannot be. */
import { readTape, type TapeEnding, type TapeFile, TapeHash } from "@agentwire/fixtures"
import * as Tape from "@agentwire/protocol/tape"
import { Failure } from "../../Failure.ts"
import { chunksOf } from "../../InputFile.ts"
import { type Limits, sizeWords } from "../../Limits.ts"

/** A tape that has a header. */
export interface Loaded extends TapeFile {
  readonly tape: Tape.Tape
}

/** Reads a tape whole. Throws a {@link Failure} when there is none, or more of it than may be held. */
export const load = async (file: string, limits: Limits): Promise<Loaded> => {
  const read = await readTape(chunksOf(file), limits).catch((error: unknown) => {
    if (!(error instanceof Tape.TapeTooLarge)) throw error
    throw new Failure(
      `${file} is more than is held in memory: over ${sizeWords(limits.maxBytes)} at line ${error.line}, unzipped, where each line counts as at least 256 bytes and each JSON value in it as 64. If you trust it, raise the limit with --max-size.`
    )
  })
  const { tape } = read
  if (tape === undefined) throw notTape(file, read.wrong[0])
  return { ...read, tape }
}

/** What is told of a tape while it is read. */
export interface TapeVisitor {
  /** Waited for, before anything else is told. */
  readonly header: (header: Tape.TapeHeader) => Promise<void> | undefined
  /** Waited for where it has to be: a slow reader of the output slows us. */
  readonly frame: (frame: Tape.Frame) => Promise<void> | undefined
  readonly wrong: (line: Tape.WrongLine) => void
}

/** Shows a tape to a visitor while it is read, whatever its size. Throws a {@link Failure} when it is none. */
export const visit = async (
  file: string,
  { maxLineBytes }: Pick<Limits, "maxLineBytes">,
  visitor: TapeVisitor
): Promise<TapeEnding> => {
  const reader = Tape.orderedTapeReader({ maxLineBytes })
  const hash = new TapeHash()
  let frames = 0
  let end: Tape.TapeEnd | undefined
  let isTape = false
  const take = async (items: ReadonlyArray<Tape.TapeItem>): Promise<void> => {
    for (const item of items) {
      if (item._tag === "Header") {
        isTape = true
        await visitor.header(item.header)
      } else if (!isTape) throw notTape(file, item._tag === "Wrong" ? item : undefined)
      else if (item._tag === "Wrong") visitor.wrong(item)
      else if (item._tag === "End") ({ end } = item)
      else {
        frames++
        const shown = visitor.frame(item.frame)
        if (shown !== undefined) await shown
      }
    }
  }
  for await (const chunk of chunksOf(file)) {
    hash.push(chunk)
    await take(reader.push(chunk))
  }
  await take(reader.end())
  if (!isTape) throw notTape(file, undefined)
  return hash.ending(end, frames)
}

const notTape = (file: string, first: Tape.WrongLine | undefined): Failure =>
  first?.code === undefined ? noHeader(file, first) : new Failure(`${file} ${first.message}.`)

const noHeader = (file: string, first: Tape.WrongLine | undefined): Failure =>
  new Failure(
    `${file} is not a tape: its first line is not a header${first === undefined ? "" : ` (${first.message})`}. For NDJSON there is \`agentwire decode\`.`
  )
