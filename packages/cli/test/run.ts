/** Runs a command line in this process, with streams that a test can read. */
import { Readable } from "node:stream"
import { main } from "../src/main.ts"
import { type Paint, plain } from "../src/Paint.ts"

/** What a command wrote and ended with. */
export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs `agentwire` with these arguments and this input. */
export const run = async (
  args: ReadonlyArray<string>,
  stdin: string | Uint8Array = "",
  paint: Paint = plain
): Promise<Ran> => {
  let out = ""
  let err = ""
  const code = await main(args, {
    stdin: Readable.from([Buffer.from(stdin)]),
    out: async (text) => {
      out += `${text}\n`
    },
    err: (text) => {
      err += `${text}\n`
    },
    progress: () => {},
    paint
  })
  return { code, out, err }
}
