/**
 * What in a shell text makes it uncertain which commands run, whatever the commands are: functions, variables that
 * change what names mean, and the places where bash evaluates what a variable holds.
 */
import type { SyntaxNode, Word } from "unbash"
import { isHarmlessVariable } from "../program/Programs.ts"
import { wordOf } from "./ShellWord.ts"

const isNumber = (word: Word | undefined): boolean => word === undefined || /^-?\d+$/.test(wordOf(word).value ?? "")

/** Bash evaluates the content of variables in arithmetic, and commands within that content. */
const arithmetic = "arithmetic on a variable may run commands"

/** Why a node of the syntax tree is not understood, its children aside; undefined: it is. */
export const doubtAbout = (node: SyntaxNode): string | undefined => {
  switch (node.type) {
    case "Function":
      return "a function is defined"
    case "Assignment":
      if (node.index !== undefined && !isNumber(node.index)) return arithmetic
      return isHarmlessVariable(node.name) ? undefined : `the variable ${node.name} may change what runs`
    case "For":
    case "Select":
      return isHarmlessVariable(node.name.value) ? undefined : `the variable ${node.name.value} may change what runs`
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "ArithmeticCommandExpansion":
      return node.script === undefined ? `cannot be parsed: ${node.text}` : undefined
    case "ArithmeticExpansion":
    case "ArithmeticCommand":
      return node.expression === undefined ? arithmetic : undefined
    case "ArithmeticWord":
      return /^(\d+|0[xX][0-9a-fA-F]+)$/.test(node.value) ? undefined : arithmetic
    case "TestUnary":
      return node.operator === "-v" || node.operator === "-R" ? arithmetic : undefined
    case "TestBinary":
      return /^-(eq|ne|lt|le|gt|ge)$/.test(node.operator) && !(isNumber(node.left) && isNumber(node.right))
        ? arithmetic
        : undefined
    case "ParameterExpansion":
      if (node.prefix === "!") return `${node.text} means another variable`
      return node.index === undefined || isNumber(node.index) || /^[@*]$/.test(node.index.value)
        ? undefined
        : arithmetic
    case "Slice":
      return isNumber(node.offset) && isNumber(node.length) ? undefined : arithmetic
    case "Default":
      return node.operator.endsWith("=") ? "a variable is set by an expansion" : undefined
    case "Transform":
      return "an expansion may run commands"
    case "Unknown":
      return `an expansion that is not known: ${node.operator}`
    case "ExtendedGlob":
      return "shells do not agree on what this pattern means"
    case "Coproc":
      return "a coprocess is started"
    default:
      return undefined
  }
}

/** Why a node means something else to other shells than bash, or nothing; undefined: all agree. */
export const bashOnly = (node: SyntaxNode): string | undefined => {
  const isOwn =
    bashNodes.has(node.type) ||
    (node.type === "Redirect" &&
      (node.operator.startsWith("&") || node.descriptor?.type === "FileDescriptorVariable")) ||
    (node.type === "Pipeline" && node.operators.includes("|&")) ||
    (node.type === "Assignment" && (node.append === true || node.index !== undefined)) ||
    (node.type === "CaseItem" && node.terminator !== undefined && node.terminator !== ";;")
  return isOwn ? "only bash reads this so, and another shell runs it" : undefined
}

const bashNodes: ReadonlySet<SyntaxNode["type"]> = new Set<SyntaxNode["type"]>([
  ...([
    "AnsiCQuoted",
    "LocaleString",
    "TestCommand",
    "ArithmeticCommand",
    "ArithmeticFor",
    "ProcessSubstitution"
  ] as const),
  ...(["HereString", "Select", "Coproc", "Function", "Time", "ArrayValue", "BraceExpansion", "ExtendedGlob"] as const),
  ...(["Replace", "Slice", "CaseModification", "Transform", "Names", "Unknown"] as const)
])
