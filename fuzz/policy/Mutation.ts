/** Shell texts with something put in, taken out, doubled, or exchanged with a piece of another text. */
import type { Random } from "./Random.ts"

/** Pieces of shell syntax, to put where they do not belong. */
const tokens: ReadonlyArray<string> = [
  ..."; & | && || ( ) { } < > << <<- <<< >& &> ! # ~ * ? [ ] = $ ` ' \" \\ $( ${ $(( )) (( [[ ]] <( >( $' $\" $[ ;; , - + : @".split(
    " "
  ),
  ..."if then else elif fi for in do done case esac while until function select time coproc rm ls x E -c -o -exec -delete {}".split(
    " "
  ),
  ...[
    "$(rm x)",
    "`rm x`",
    "<(rm x)",
    ";rm x;",
    "'$(rm x)'",
    "\nrm x\n",
    "${x:-",
    "<<E\n",
    "\nE\n",
    "\\\n",
    "2<(rm x)",
    "'rm x'",
    "$x",
    '"$x"'
  ],
  ...[
    "\n",
    " ",
    "\t",
    "\r",
    "\u00a0",
    "é",
    "{a,b}",
    "@(",
    "%",
    "+=",
    "--",
    "a=1",
    "1",
    "a=(",
    "-I{}",
    "-n1",
    "-name",
    "..",
    "/"
  ]
]

/** Changes a text once. */
const changed = (random: Random, text: string, other: string): string => {
  const at = random.below(text.length + 1)
  const length = 1 + random.below(4)
  switch (random.below(6)) {
    case 0:
      return text.slice(0, at) + text.slice(at + length)
    case 1: {
      const from = random.below(other.length + 1)
      return text.slice(0, at) + other.slice(from, from + random.below(24)) + text.slice(at)
    }
    case 2:
      return text.slice(0, at) + text.slice(Math.max(0, at - length * 3), at) + text.slice(at)
    case 3:
      return text.slice(0, at) + random.pick(tokens) + text.slice(at + length)
    default:
      return text.slice(0, at) + random.pick(tokens) + text.slice(at)
  }
}

/** A text that was changed a few times. */
export const mutated = (random: Random, text: string, other: string): string => {
  let result = text
  for (let left = 1 + random.below(3); left > 0; left--) result = changed(random, result, other)
  return result
}
