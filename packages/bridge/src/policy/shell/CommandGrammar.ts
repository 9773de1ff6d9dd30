/** The gaps in simple commands, their assignments and redirections, and in the tests of `[[ … ]]`. */
import type { Assignment, Command, Redirection, SyntaxNode, TestExpression } from "unbash"
import { between, blank, blanks, exactly, type Gap, joints, maybeBlanks, never, nothing } from "./GrammarGaps.ts"

const reserved: ReadonlySet<string> = new Set(
  "if then else elif fi case esac for select while until do done in function time { } ! [[ ]] coproc".split(" ")
)

/** The gaps of a simple command; undefined: bash would not take it for one. */
export const commandGaps = (source: string, node: Command): ReadonlyArray<Gap> | undefined => {
  const { name, prefix, suffix } = node
  const named = name === undefined ? "" : source.slice(name.pos, name.end)
  if (reserved.has(named) || /^[A-Za-z_]\w*(\[.*)?\+?=/s.test(named)) return undefined
  const parts = [...prefix, ...(name === undefined ? [] : [name]), ...suffix]
  return [
    ...between(parts, (before, at) => {
      const next = parts[at + 1]
      const isOperator = next !== undefined && /^[<>&]/.test(source.charAt(next.pos)) && isRedirection(next)
      // A number before an operator is a descriptor, and `{x}` a variable for one.
      const isDescriptor = /[\d}]$/.test(source.slice(before.pos, before.end))
      return isOperator && !isDescriptor ? maybeBlanks : blanks
    }),
    [parts.at(-1)?.end ?? node.end, node.end, nothing]
  ]
}

const isRedirection = ({ type }: SyntaxNode): boolean =>
  type === "Redirect" || type === "HereString" || type === "HereDoc"

/** The gaps of an assignment. */
export const assignmentGaps = (source: string, { end: last, pos, value }: Assignment): ReadonlyArray<Gap> => [
  [pos, value.pos, /^[A-Za-z_]\w*(?:\[\d+\])?\+?=$/],
  [value.end, last, source.charAt(value.pos) === "(" && value.type === "Word" ? never : nothing]
]

/** The gaps of a redirection. */
export const redirectGaps = (source: string, node: Redirection): ReadonlyArray<Gap> | undefined => {
  const { descriptor, operator: sign, pos } = node
  const target = node.type === "HereDoc" ? node.delimiter : node.target
  if (target === undefined || descriptor?.type === "FileDescriptorVariable") return undefined
  const from = descriptor?.end ?? pos
  return source.slice(from, from + sign.length) !== sign
    ? undefined
    : [
        [from + sign.length, target.pos, maybeBlanks],
        [target.end, node.end, nothing]
      ]
}

/** Whether a node is in `[[ … ]]`. */
export const isTest = (node: SyntaxNode): node is TestExpression => /^Test[A-Z]/.test(node.type)

/** Regular expressions have rules of their own for quotes and brackets. */
const plainRegex = /^[\w^$.*+?[\]:/@%,-]+$/

/** The gaps of a test. */
export const testGaps = (source: string, node: TestExpression): ReadonlyArray<Gap> | undefined => {
  switch (node.type) {
    case "TestUnary": {
      if (node.operand.pos === node.pos) return [[node.operand.end, node.end, nothing]]
      const from = node.pos + node.operator.length
      if (source.slice(node.pos, from) !== node.operator) return undefined
      return [
        [from, node.operand.pos, blanks],
        [node.operand.end, node.end, nothing]
      ]
    }
    case "TestBinary": {
      const { left, operator: sign, right } = node
      if (sign === "=~" && !plainRegex.test(source.slice(right.pos, right.end).replace(/\$$/, ""))) return undefined
      return [[left.end, right.pos, exactly(`${blank}+${sign}${blank}+`)]]
    }
    case "TestLogical":
      return between(node.operands, () => joints[node.operator])
    case "TestNot": {
      const nodes = [...node.negations, node.operand]
      return between(nodes, () => blanks)
    }
    case "TestGroup":
      return [
        [node.pos, node.expression.pos, exactly(`\\(${blank}*`)],
        [node.expression.end, node.end, exactly(`${blank}*\\)`)]
      ]
  }
}
