/**
 * Whether a syntax tree is all there is to a shell text: bash's own grammar, read backwards.
 *
 * A parser that takes a text for something that bash does not is how a command gets past a policy. So the tree is not
 * trusted. For every kind of node this says what may stand between its children, and every character of the text must
 * be accounted for, by a child or by that. It knows less than bash does: what it does not know is not understood.
 */
import { forEachChild, type ParsedScript, type SyntaxNode } from "unbash"
import { gapsOf } from "./CompoundGrammar.ts"
import type { Gap } from "./GrammarGaps.ts"
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
