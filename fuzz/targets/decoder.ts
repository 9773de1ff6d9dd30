/** Lines of Claude Code to messages: the codec, whatever a line is. */
import * as Claude from "@agentwire/protocol/claude"
import { encodeLine } from "@agentwire/protocol/codec"
import { holds, linesOf, same, type Target } from "../Target.ts"

/** The decoder. */
export const decoder: Target = {
  name: "decoder",
  law: "each line of Claude Code is Known, Unknown or Invalid with a code; what is Known reads the same once written",
  shape: "lines",
  words: [...Claude.codec.catalog.members.keys()].flatMap((name) => name.split("/")),
  check: (input) => linesOf(input).map(outcomeOf)
}

const outcomeOf = (line: string): string => {
  const decoded = Claude.decodeLine(line)
  switch (decoded._tag) {
    case "Known": {
      const again = Claude.decodeLine(encodeLine((decoded.raw ?? decoded.message) as object))
      holds(again._tag === "Known" && again.name === decoded.name, "what is known stays known", line)
      if (isWritable(decoded.raw ?? decoded.message))
        same("what is written reads the same", again.message, decoded.message)
      if (decoded.odd === undefined) same("a message is the line", decoded.message, JSON.parse(line))
      else {
        holds(decoded.odd.length > 0, "what is odd is named", line)
        // The copy without the odd parts is what folds are given.
        const mended = Claude.codec.decodeValue(decoded.message)
        holds(mended._tag === "Known", "what is mended can be read", line)
      }
      Claude.codec.drift(decoded.message)
      return `${decoded.name}${decoded.odd === undefined ? "" : " odd"}`
    }
    case "Unknown":
      same("what is unknown is kept whole", decoded.raw, JSON.parse(line))
      Claude.codec.drift(decoded.raw)
      return "Unknown"
    case "Invalid":
      holds(decoded.error.path.startsWith("$") && decoded.error.message !== "", "an error says where and why", line)
      return decoded.error.code
  }
}

/** JSON can say a number that is too large for one, and it cannot be written again. */
const isWritable = (value: unknown): boolean => {
  let writable = true
  JSON.stringify(value, (_, inner: unknown) => {
    writable &&= typeof inner !== "number" || Number.isFinite(inner)
    return inner
  })
  return writable
}
