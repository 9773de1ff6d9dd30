/** `agentwire tape diff`: what differs between two tapes of the same scenario. */
import * as Tape from "@agentwire/protocol/tape"
import type { ExitCode, Input } from "../../Command.ts"
import type { Console } from "../../Console.ts"
import { limitsOf } from "../../Limits.ts"
import { escapeControls, type Paint } from "../../Paint.ts"
import { load } from "./Load.ts"

const shown = 50

/** Compares two tapes. */
export const diff = async (left: string, right: string, input: Input, console: Console): Promise<ExitCode> => {
  const { values } = input
  const limits = limitsOf(input)
  const [one, other] = [await load(left, limits), await load(right, limits)]
  const found = Tape.diffTapes(one.tape, other.tape, {
    joinDeltas: values["join-deltas"] === true,
    stderr: values["no-stderr"] !== true
  })
  if (values["json"] === true) await console.out(JSON.stringify({ left, right, differences: found }))
  else if (found.length === 0) await console.out(`${left} and ${right} say the same`)
  else {
    const more = found.length - shown
    await console.out(
      [
        `${console.paint.bad(`--- ${left}`)}\n${console.paint.good(`+++ ${right}`)}`,
        ...found.slice(0, shown).map((each) => render(each, console.paint)),
        ...(more > 0 ? [`… and ${more} more`] : [])
      ].join("\n")
    )
  }
  return found.length === 0 ? 0 : 1
}

const render = (found: Tape.TapeDifference, paint: Paint): string => {
  switch (found._tag) {
    case "OnlyLeft":
      return `frame ${found.left} is only on the left: ${escapeControls(found.name)}\n${paint.bad(`  - ${excerpt(found.value)}`)}`
    case "OnlyRight":
      return `frame ${found.right} is only on the right: ${escapeControls(found.name)}\n${paint.good(`  + ${excerpt(found.value)}`)}`
    case "Changed":
      return [
        `frame ${found.left} and frame ${found.right}: ${escapeControls(found.name)}`,
        ...found.differences.map(
          ({ actual, expected, path }) =>
            `  ${escapeControls(path)}\n${paint.bad(`    - ${excerpt(expected)}`)}\n${paint.good(`    + ${excerpt(actual)}`)}`
        )
      ].join("\n")
  }
}

const excerpt = (value: unknown): string => {
  if (value === undefined) return "(absent)"
  const text = JSON.stringify(value)
  return text.length > 160 ? `${text.slice(0, 160)}…` : text
}
