/**
 * Where the bodies of here-documents lie in a shell text. They begin on the line after their operator, so they stand
 * between, or within, nodes that they are no part of.
 */
import { forEachChild, type HereDoc, type ParsedScript, type SyntaxNode } from "unbash"

/** A body with the line that ends it. */
export interface Body {
  readonly pos: number
  readonly end: number
}

/** The bodies in order; undefined when one does not lie where bash would read it. */
export const bodiesOf = (source: string, script: ParsedScript): ReadonlyArray<Body> | undefined => {
  if (!source.includes("<<")) return []
  const found: Array<{ readonly doc: HereDoc; readonly within: ParsedScript }> = []
  const collect = (node: SyntaxNode, within: ParsedScript): void => {
    if (node.type === "HereDoc") found.push({ doc: node, within })
    forEachChild(node, (child) => collect(child, node.type === "Script" ? node : within))
  }
  collect(script, script)
  found.sort((one, other) => one.doc.pos - other.doc.pos)
  const bodies: Array<Body> = []
  for (const { doc, within } of found) {
    const { body, closing, delimiter } = doc
    const last = bodies.at(-1)
    const line = source.indexOf("\n", doc.end)
    // The next one of the same line begins where the last one ended.
    const start = last !== undefined && last.pos > doc.end && last.pos <= line + 1 ? last.end + 1 : line + 1
    if (delimiter === undefined || closing === undefined || line < 0 || body.pos !== start) return undefined
    if (last !== undefined && doc.pos < last.end && doc.pos >= last.pos) return undefined
    if (source.charAt(line - 1) === "\\" || closing.end > within.end) return undefined
    if (!isWhole(source, doc, closing.end) || !/^\n?$/.test(source.charAt(closing.end))) return undefined
    bodies.push({ pos: body.pos, end: closing.end })
  }
  return bodies
}

const delimiters = /^(?:\w[\w.-]*|'\w[\w.-]*'|"\w[\w.-]*"|\\\w+)$/

/** Whether the lines up to there are the body and the first line that can end it. */
const isWhole = (source: string, { body, delimiter, operator }: HereDoc, end: number): boolean => {
  const written = source.slice(delimiter?.pos, delimiter?.end)
  if (!delimiters.test(written) || delimiter?.quoted !== /^['"\\]/.test(written)) return false
  const name = written.replace(/['"\\]/g, "")
  const lines = source.slice(body.pos, end).split("\n")
  const isEnd = (line: string): boolean => (operator === "<<-" ? line.replace(/^\t+/, "") : line) === name
  return lines.findIndex(isEnd) === lines.length - 1
}

/** A piece of the text, without the bodies in it. */
export const textWithout = (bodies: ReadonlyArray<Body>, source: string, from: number, to: number): string => {
  if (bodies.length === 0) return source.slice(from, to)
  let text = ""
  let at = from
  for (const { end, pos } of bodies) {
    if (pos < at || pos >= to) continue
    text += source.slice(at, pos)
    at = Math.min(end, to)
  }
  return text + source.slice(at, to)
}

/** A text in which the bodies of here-documents are dots, and where those are. */
export interface Quieted {
  readonly text: string
  readonly bodies: ReadonlyArray<Body>
}

/**
 * Puts dots in place of what looks like the body of a here-document in which nothing means anything, so that nobody
 * has to parse a long one. Whether it was one is for {@link areBodies} to say.
 */
export const quieted = (source: string): Quieted => {
  const bodies: Array<Body> = []
  let text = ""
  let at = 0
  for (const { 0: operator, index } of source.matchAll(/<<[ \t]*(?:'\w+'|"\w+"|\\\w+)/g)) {
    const pos = source.indexOf("\n", index) + 1
    if (index < at || pos === 0) continue
    const name = operator.replace(/^<<[ \t]*|\W/g, "")
    const end = source.startsWith(`${name}\n`, pos) ? -1 : source.indexOf(`\n${name}\n`, pos)
    const last = end < 0 && source.endsWith(`\n${name}`) ? source.length - name.length - 1 : end
    // Looking for more of those that do not end would take long.
    if (last < pos) break
    text += `${source.slice(at, pos)}${".".repeat(last - pos)}`
    at = last
    bodies.push({ pos, end: last + 1 })
  }
  return { text: text + source.slice(at), bodies }
}

/** Whether all of them are bodies of here-documents whose delimiter is quoted. */
export const areBodies = (bodies: ReadonlyArray<Body>, script: ParsedScript): boolean => {
  const found = new Set<string>()
  const collect = (node: SyntaxNode): void => {
    if (node.type === "HereDoc" && node.delimiter?.quoted === true) found.add(`${node.body.pos} ${node.body.end}`)
    forEachChild(node, collect)
  }
  if (bodies.length > 0) collect(script)
  return bodies.every(({ end, pos }) => found.has(`${pos} ${end}`))
}
