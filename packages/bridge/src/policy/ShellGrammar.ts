/**
 * Whether a syntax tree is all there is to a shell text: bash's own grammar, read backwards.
 *
 * A parser that takes a text for something that bash does not is how a command gets past a policy. So the tree is not
 * trusted. For every kind of node this says what may stand between its children, and every character of the text must
 * be accounted for, by a child or by that. It knows less than bash does: what it does not know is not understood.
 */
import type {
  Assignment,
  Command,
  CompoundList,
  Redirection,
  Statement,
  SyntaxNode,
  TestExpression,
  Word
} from "unbash"
import { forEachChild, type ParsedScript } from "unbash"
import { bodiesOf, textWithout } from "./HereDocs.ts"
import { isPlainWord } from "./ShellQuoting.ts"

/** The first piece of the text that the tree does not account for; undefined: there is none. */
export const unaccounted = (source: string, script: ParsedScript): string | undefined => {
  const bodies = bodiesOf(source, script)
  if (bodies === undefined) return "<<"
  const isFine = ([from, to, allowed]: Gap): boolean =>
    from <= to && allowed.test(textWithout(bodies, source, from, to))
  const visit = (node: SyntaxNode): string | undefined => {
    const isWord = node.type === "Word" || node.type === "HereDocBody"
    if (isWord && !isPlainWord(source, node, node.type === "Word" ? "bare" : "here")) return node.text
    const gaps = isWord ? [] : gapsOf(source, node)
    const wrong = gaps === undefined ? ([node.pos, node.end] as const) : gaps.find((gap) => !isFine(gap))
    if (wrong !== undefined) return source.slice(wrong[0], wrong[1]) || source.slice(node.pos, node.end)
    // Nothing means anything in the body behind a quoted delimiter.
    if (node.type === "HereDoc" && node.delimiter?.quoted === true) return undefined
    return firstOf(isWord ? scriptsIn(node) : childrenOf(node), visit)
  }
  return visit(script)
}

/** A piece of text between nodes, and what it may be. */
type Gap = readonly [from: number, to: number, allowed: RegExp]

const firstOf = (
  nodes: ReadonlyArray<SyntaxNode>,
  visit: (node: SyntaxNode) => string | undefined
): string | undefined => {
  for (const node of nodes) {
    const found = visit(node)
    if (found !== undefined) return found
  }
  return undefined
}

const childrenOf = (node: SyntaxNode): ReadonlyArray<SyntaxNode> => {
  const children: Array<SyntaxNode> = []
  forEachChild(node, (child) => children.push(child))
  return children
}

/** The scripts in a word, not those within them. */
const scriptsIn = (node: SyntaxNode): ReadonlyArray<SyntaxNode> =>
  childrenOf(node).flatMap((child) => (child.type === "Script" ? [child] : scriptsIn(child)))

// --- what may stand between two nodes ----------------------------------------------------------

// A backslash at the end of a line joins what is before and after it, operators as well: only where a space is before it.
const blank = "(?:[ \\t]|(?<=[ \\t\\n])\\\\\\n)"
const space = `(?:${blank}|\\n|(?<=[ \\t\\n])#[^\\n]*\\n)`
const pattern = (text: string): RegExp => new RegExp(`^${text}$`)

const nothing = pattern("")
const blanks = pattern(`${blank}+`)
const maybeBlanks = pattern(`${blank}*`)
const spaces = pattern(`${space}*`)
/** The end of a command that is followed by another one, or by a keyword. */
const end = `${blank}*(?:;|\\n|(?<=[ \\t])#[^\\n]*\\n)${space}*`
const separator = pattern(end)
/** The end of a command that nothing has to follow. */
const lastEnd = `${blank}*;?${space}*`

const keyword = (word: string): RegExp => pattern(`${word}${space}+`)
const operator = (text: string): RegExp => pattern(`${blank}*${text}${space}*`)

const patterns = {
  if: keyword("if"),
  while: keyword("while"),
  until: keyword("until"),
  elif: keyword("elif"),
  brace: keyword("\\{"),
  parenthesis: pattern(`\\(${space}*`),
  for: pattern(`for${blank}+`),
  in: pattern(`${blank}+in${blank}+`),
  doAfterWords: pattern(`${blank}*[;\\n]${space}*do${space}+`),
  case: pattern(`case${blank}+`),
  caseIn: pattern(`${blank}+in${space}+`),
  esac: pattern(`${space}+esac`),
  beforePattern: pattern(`(?:\\(${blank}*)?`),
  orPattern: pattern(`${blank}*\\|${blank}*`),
  afterPattern: pattern(`${blank}*\\)${space}*`),
  background: pattern(`${blank}*&`),
  time: pattern(`time(?:${blank}+-p)?`),
  not: pattern("!"),
  "&&": operator("&&"),
  "||": operator("\\|\\|"),
  "|": operator("\\|"),
  "|&": operator("\\|&"),
  test: keyword("\\[\\["),
  testEnd: pattern(`${space}+\\]\\]`),
  testOpen: pattern(`\\(${blank}*`),
  testClose: pattern(`${blank}*\\)`)
} as const

/** Behind a list of commands: what ends the last of them, and a keyword. `then` and the like are followed by more. */
const after = (list: CompoundList, word: string, hasMore: boolean): RegExp =>
  memo(`${isBackground(list.commands) ? `${space}+` : end}${word}${hasMore ? `${space}+` : ""}`)

const memoized = new Map<string, RegExp>()
const memo = (text: string): RegExp => {
  const known = memoized.get(text) ?? pattern(text)
  memoized.set(text, known)
  return known
}

const isBackground = (commands: ReadonlyArray<Statement>): boolean => commands.at(-1)?.background === true

// --- for every kind of node --------------------------------------------------------------------

/** What stands before, between and behind the children of a node; undefined: not a kind that is known here. */
const gapsOf = (source: string, node: SyntaxNode): ReadonlyArray<Gap> | undefined => {
  switch (node.type) {
    case "Script": {
      const [first] = node.commands
      // The end of the whole text ends a comment, and no other end but that of its line does.
      const comment = node.end === source.length ? "#[^\\n]*" : ""
      if (first === undefined) return [[node.pos, node.end, memo(`(?:#[^\\n]*\\n)?${space}*(?:${comment})?`)]]
      const tail = `${lastEnd}(?:(?<=[ \\t\\n])${comment})?`
      const lead: Gap = [node.pos, first.pos, node.pos === 0 ? memo(`(?:#[^\\n]*\\n)?${space}*`) : spaces]
      const last = node.commands.at(-1)?.end ?? node.end
      return [
        lead,
        ...between(node.commands, ({ background }) => (background ? spaces : separator)),
        [last, node.end, memo(tail)]
      ]
    }
    case "CompoundList":
      return node.commands.length === 0
        ? undefined
        : between(node.commands, ({ background }) => (background ? spaces : separator))
    case "Statement":
      return [[node.command.end, node.end, node.background === true ? patterns.background : nothing]]
    case "Command":
      return commandGaps(source, node)
    case "Pipeline": {
      const [first] = node.commands
      const { operators, prefixes } = node
      if (first === undefined) return undefined
      return [
        ...between([...prefixes, first], () => blanks),
        ...between(node.commands, (_, at) => patterns[operators[at] ?? "|"], source)
      ]
    }
    case "Time":
      return [[node.pos, node.end, patterns.time]]
    case "Negation":
      return [[node.pos, node.end, patterns.not]]
    case "AndOr":
      return between(node.commands, (_, at) => patterns[node.operators[at] ?? "&&"], source)
    case "Redirected":
      return between([node.command, ...node.redirects], (_, at) =>
        node.redirects[at]?.descriptor === undefined ? maybeBlanks : blanks
      )
    case "If": {
      const bodies = [node.then, ...node.elif.map(({ then }) => then)]
      const last = node.else ?? bodies.at(-1) ?? node.then
      const elifs = node.elif.map((each, at): Gap => {
        const before = bodies[at] ?? node.then
        return [before.end, each.pos, after(before, "", false)]
      })
      const lastThen = bodies.at(-1) ?? node.then
      return [
        [node.pos, node.clause.pos, patterns.if],
        [node.clause.end, node.then.pos, after(node.clause, "then", true)],
        ...elifs,
        ...(node.else === undefined ? [] : [[lastThen.end, node.else.pos, after(lastThen, "else", true)] as const]),
        [last.end, node.end, after(last, "fi", false)]
      ]
    }
    case "Elif":
      return [
        [node.pos, node.clause.pos, patterns.elif],
        [node.clause.end, node.then.pos, after(node.clause, "then", true)],
        [node.then.end, node.end, nothing]
      ]
    case "While":
      return [
        [node.pos, node.clause.pos, patterns[node.kind]],
        [node.clause.end, node.body.pos, after(node.clause, "do", true)],
        [node.body.end, node.end, after(node.body, "done", false)]
      ]
    case "For": {
      const [first] = node.wordlist ?? []
      const last = node.wordlist?.at(-1)
      if (first === undefined || last === undefined || !isName(node.name)) return undefined
      return [
        [node.pos, node.name.pos, patterns.for],
        [node.name.end, first.pos, patterns.in],
        ...between(node.wordlist ?? [], () => blanks),
        [last.end, node.body.pos, patterns.doAfterWords],
        [node.body.end, node.end, after(node.body, "done", false)]
      ]
    }
    case "Subshell":
      // `((` is arithmetic.
      return source.charAt(node.pos + 1) === "("
        ? undefined
        : [
            [node.pos, node.body.pos, patterns.parenthesis],
            [node.body.end, node.end, memo(`${isBackground(node.body.commands) ? `${space}*` : lastEnd}\\)`)]
          ]
    case "BraceGroup":
      return [
        [node.pos, node.body.pos, patterns.brace],
        [node.body.end, node.end, after(node.body, "\\}", false)]
      ]
    case "Case": {
      const [first] = node.items
      const last = node.items.at(-1)
      if (first === undefined || last === undefined) return undefined
      const lastGap = last.terminator === undefined ? after(last.body, "esac", false) : patterns.esac
      return [
        [node.pos, node.word.pos, patterns.case],
        [node.word.end, first.pos, patterns.caseIn],
        ...between(node.items, () => memo(`${space}+`)),
        [last.end, node.end, lastGap]
      ]
    }
    case "CaseItem": {
      const [first] = node.pattern
      const last = node.pattern.at(-1)
      if (first === undefined || last === undefined || source.slice(first.pos, first.end) === "esac") return undefined
      const { body, terminator } = node
      const isEmpty = body.commands.length === 0
      if (isEmpty && terminator === undefined) return undefined
      const terminated = isEmpty ? `${blank}*\\)${space}*` : isBackground(body.commands) ? `${space}*` : lastEnd
      return [
        [node.pos, first.pos, patterns.beforePattern],
        ...between(node.pattern, () => patterns.orPattern),
        ...(isEmpty ? [] : [[last.end, body.pos, patterns.afterPattern] as const]),
        [
          isEmpty ? last.end : body.end,
          node.end,
          terminator === undefined ? nothing : memo(`${terminated}${terminator}`)
        ]
      ]
    }
    case "Assignment":
      return assignmentGaps(source, node)
    case "ArrayValue": {
      const [first] = node.elements
      const last = node.elements.at(-1)
      if (first === undefined || last === undefined) return [[node.pos, node.end, memo(`\\(${space}*\\)`)]]
      // `[x]=y` evaluates x.
      if (node.elements.some(({ pos }) => source.charAt(pos) === "[")) return undefined
      return [
        [node.pos, first.pos, patterns.parenthesis],
        ...between(node.elements, () => memo(`${space}+`)),
        [last.end, node.end, memo(`${space}*\\)`)]
      ]
    }
    case "Redirect":
    case "HereString":
    case "HereDoc":
      return redirectGaps(source, node)
    case "FileDescriptor":
      return [[node.pos, node.end, /^\d+$/]]
    case "HereDocDelimiter":
      return []
    case "TestCommand":
      return [
        [node.pos, node.expression.pos, patterns.test],
        [node.expression.end, node.end, patterns.testEnd]
      ]
    default:
      return isTest(node) ? testGaps(source, node) : undefined
  }
}

const between = <Node extends { readonly pos: number; readonly end: number }>(
  nodes: ReadonlyArray<Node>,
  allowed: (node: Node, at: number) => RegExp,
  /** Where the text behind an operator must not continue it. */
  source?: string
): ReadonlyArray<Gap> =>
  nodes.slice(1).map((next, at): Gap => {
    const before = nodes[at] ?? next
    const isOperator = source !== undefined && /[&|]/.test(source.charAt(next.pos))
    return [before.end, next.pos, isOperator ? never : allowed(before, at)]
  })

const never = /^\b$/

const isName = ({ text }: Word): boolean => /^[A-Za-z_]\w*$/.test(text)

const reserved: ReadonlySet<string> = new Set(
  "if then else elif fi case esac for select while until do done in function time { } ! [[ ]] coproc".split(" ")
)

const commandGaps = (source: string, node: Command): ReadonlyArray<Gap> | undefined => {
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

const assignmentGaps = (source: string, { end: last, pos, value }: Assignment): ReadonlyArray<Gap> => [
  [pos, value.pos, /^[A-Za-z_]\w*(?:\[\d+\])?\+?=$/],
  [value.end, last, source.charAt(value.pos) === "(" && value.type === "Word" ? never : nothing]
]

const redirectGaps = (source: string, node: Redirection): ReadonlyArray<Gap> | undefined => {
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

const isTest = (node: SyntaxNode): node is TestExpression => /^Test[A-Z]/.test(node.type)

/** Regular expressions have rules of their own for quotes and brackets. */
const plainRegex = /^[\w^$.*+?[\]:/@%,-]+$/

const testGaps = (source: string, node: TestExpression): ReadonlyArray<Gap> | undefined => {
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
      return [[left.end, right.pos, memo(`${blank}+${sign}${blank}+`)]]
    }
    case "TestLogical":
      return between(node.operands, () => patterns[node.operator])
    case "TestNot": {
      const nodes = [...node.negations, node.operand]
      return between(nodes, () => blanks)
    }
    case "TestGroup":
      return [
        [node.pos, node.expression.pos, patterns.testOpen],
        [node.expression.end, node.end, patterns.testClose]
      ]
  }
}
