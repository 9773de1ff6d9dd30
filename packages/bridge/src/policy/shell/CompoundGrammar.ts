/** The gaps in lists, pipelines and compound commands, and with them in every kind of node that is known. */
import type {
  Case,
  CaseItem,
  CompoundList,
  For,
  If,
  Pipeline,
  PipelineNode,
  Script,
  Statement,
  SyntaxNode
} from "unbash"
import { assignmentGaps, commandGaps, isTest, redirectGaps, testGaps } from "./CommandGrammar.ts"
import {
  after,
  between,
  blank,
  blanks,
  exactly,
  type Gap,
  isBackground,
  joints,
  keyword,
  lastEnd,
  maybeBlanks,
  maybeSpaces,
  never,
  nothing,
  separator,
  space,
  spaces
} from "./GrammarGaps.ts"

/** What stands before, between and behind the children of a node; undefined: not a kind that is known here. */
export const gapsOf = (source: string, node: SyntaxNode): ReadonlyArray<Gap> | undefined => {
  switch (node.type) {
    case "Script":
      return scriptGaps(source, node)
    case "CompoundList":
      return node.commands.length === 0 ? undefined : statements(node.commands)
    case "Statement":
      return [[node.command.end, node.end, node.background === true ? exactly(`${blank}*&`) : nothing]]
    case "Command":
      return commandGaps(source, node)
    case "Pipeline":
      return pipelineGaps(source, node)
    case "Time":
      return [[node.pos, node.end, exactly(`time(?:${blank}+-p)?`)]]
    case "Negation":
      return [[node.pos, node.end, exactly("!")]]
    case "AndOr":
      return joined(source, node.commands, node.operators)
    case "Redirected":
      return between([node.command, ...node.redirects], (_, at) =>
        node.redirects[at]?.descriptor === undefined ? maybeBlanks : blanks
      )
    case "If":
      return ifGaps(node)
    case "Elif":
      return [
        [node.pos, node.clause.pos, keyword("elif")],
        [node.clause.end, node.then.pos, after(node.clause, `then${space}+`)],
        [node.then.end, node.end, nothing]
      ]
    case "While":
      return [
        [node.pos, node.clause.pos, keyword(node.kind)],
        [node.clause.end, node.body.pos, after(node.clause, `do${space}+`)],
        [node.body.end, node.end, after(node.body, "done")]
      ]
    case "For":
      return forGaps(source, node)
    case "Subshell":
      // `((` is arithmetic.
      return source.charAt(node.pos + 1) === "("
        ? undefined
        : [
            [node.pos, node.body.pos, exactly(`\\(${space}*`)],
            [node.body.end, node.end, exactly(`${closingOf(node.body)}\\)`)]
          ]
    case "BraceGroup":
      return [
        [node.pos, node.body.pos, keyword("\\{")],
        [node.body.end, node.end, after(node.body, "\\}")]
      ]
    case "Case":
      return caseGaps(node)
    case "CaseItem":
      return itemGaps(source, node)
    case "Assignment":
      return assignmentGaps(source, node)
    case "ArrayValue": {
      const { elements } = node
      const first = elements[0]?.pos ?? node.end - 1
      // `[x]=y` evaluates x.
      if (elements.some(({ pos }) => source.charAt(pos) === "[")) return undefined
      return [
        [node.pos, first, exactly(`\\(${space}*`)],
        ...between(elements, () => spaces),
        [elements.at(-1)?.end ?? first, node.end, exactly(`${space}*\\)`)]
      ]
    }
    case "Redirect":
    case "HereString":
    case "HereDoc":
      return redirectGaps(source, node)
    case "FileDescriptor":
      return [[node.pos, node.end, exactly("\\d+")]]
    case "HereDocDelimiter":
      return []
    case "TestCommand":
      return [
        [node.pos, node.expression.pos, keyword("\\[\\[")],
        [node.expression.end, node.end, exactly(`${space}+\\]\\]`)]
      ]
    default:
      return isTest(node) ? testGaps(source, node) : undefined
  }
}

const statements = (commands: ReadonlyArray<Statement>): ReadonlyArray<Gap> =>
  between(commands, ({ background }) => (background === true ? maybeSpaces : separator))

/** What ends the last command before a bracket. */
const closingOf = ({ commands }: CompoundList): string => (isBackground(commands) ? `${space}*` : lastEnd)

const scriptGaps = (source: string, { commands, end, pos }: Script): ReadonlyArray<Gap> => {
  const [first] = commands
  const lead = `(?:#[^\\n]*\\n)?${space}*`
  // The end of the whole text ends a comment, and no other end but that of its line does.
  const comment = end === source.length ? "#[^\\n]*" : ""
  if (first === undefined) return [[pos, end, exactly(`${lead}(?:${comment})?`)]]
  return [
    [pos, first.pos, exactly(lead)],
    ...statements(commands),
    [commands.at(-1)?.end ?? end, end, exactly(`${lastEnd}(?:(?<=[ \\t\\n])${comment})?`)]
  ]
}

/** Commands with signs between them that what follows does not make longer. */
const joined = (
  source: string,
  commands: ReadonlyArray<PipelineNode>,
  operators: ReadonlyArray<keyof typeof joints>
): ReadonlyArray<Gap> =>
  between(commands, (_, at) => {
    const operator = operators[at]
    const isLonger = /[&|]/.test(source.charAt(commands[at + 1]?.pos ?? source.length))
    return operator === undefined || isLonger ? never : joints[operator]
  })

const pipelineGaps = (source: string, { commands, operators, prefixes }: Pipeline): ReadonlyArray<Gap> | undefined => {
  const [first] = commands
  return first === undefined
    ? undefined
    : [...between([...prefixes, first], () => blanks), ...joined(source, commands, operators)]
}

const ifGaps = (node: If): ReadonlyArray<Gap> => {
  const bodies = [node.then, ...node.elif.map(({ then }) => then)]
  const lastThen = bodies.at(-1) ?? node.then
  const last = node.else ?? lastThen
  return [
    [node.pos, node.clause.pos, keyword("if")],
    [node.clause.end, node.then.pos, after(node.clause, `then${space}+`)],
    ...node.elif.map(({ pos }, at): Gap => {
      const before = bodies[at] ?? node.then
      return [before.end, pos, after(before, "")]
    }),
    ...(node.else === undefined ? [] : [[lastThen.end, node.else.pos, after(lastThen, `else${space}+`)] as const]),
    [last.end, node.end, after(last, "fi")]
  ]
}

/** Without words it would go through the arguments of the script. */
const forGaps = (source: string, { body, end, name, pos, wordlist = [] }: For): ReadonlyArray<Gap> | undefined => {
  const [first] = wordlist
  const last = wordlist.at(-1)
  if (first === undefined || last === undefined || !/^[A-Za-z_]\w*$/.test(source.slice(name.pos, name.end)))
    return undefined
  return [
    [pos, name.pos, exactly(`for${blank}+`)],
    [name.end, first.pos, exactly(`${blank}+in${blank}+`)],
    ...between(wordlist, () => blanks),
    [last.end, body.pos, exactly(`${blank}*[;\\n]${space}*do${space}+`)],
    [body.end, end, after(body, "done")]
  ]
}

const caseGaps = ({ end, items, pos, word }: Case): ReadonlyArray<Gap> | undefined => {
  const [first] = items
  const last = items.at(-1)
  if (first === undefined || last === undefined) return undefined
  return [
    [pos, word.pos, exactly(`case${blank}+`)],
    [word.end, first.pos, exactly(`${blank}+in${space}+`)],
    ...between(items, () => spaces),
    [last.end, end, last.terminator === undefined ? after(last.body, "esac") : exactly(`${space}+esac`)]
  ]
}

const itemGaps = (source: string, node: CaseItem): ReadonlyArray<Gap> | undefined => {
  const { body, pattern, terminator } = node
  const [first] = pattern
  const last = pattern.at(-1)
  if (first === undefined || last === undefined || source.slice(first.pos, first.end) === "esac") return undefined
  const isEmpty = body.commands.length === 0
  if (isEmpty && terminator === undefined) return undefined
  const opening = `${blank}*\\)${space}*`
  const closing = terminator === undefined ? nothing : exactly(`${isEmpty ? opening : closingOf(body)}${terminator}`)
  return [
    [node.pos, first.pos, exactly(`(?:\\(${blank}*)?`)],
    ...between(pattern, () => exactly(`${blank}*\\|${blank}*`)),
    ...(isEmpty ? [] : [[last.end, body.pos, exactly(opening)] as const]),
    [isEmpty ? last.end : body.end, node.end, closing]
  ]
}
