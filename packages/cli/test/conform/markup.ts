/** A small, strict reader of XML and HTML, so that a report that is not well-formed cannot pass. */

/** An element. */
export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: ReadonlyArray<Element | string>
}

const voidElements = new Set(["meta", "br", "input"])

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

const plainOf = (text: string): string => {
  if (/[<>]/.test(text)) throw new Error(`a bare < or > in ${JSON.stringify(text)}`)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is meant
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u.test(text))
    throw new Error(`a character that XML cannot hold in ${JSON.stringify(text)}`)
  return text.replace(/&([^;&]*;)?/g, (whole, body: string | undefined) => {
    const name = body?.slice(0, -1) ?? ""
    const known = name.startsWith("#") ? String.fromCodePoint(Number(name.slice(1))) : entities[name]
    if (known === undefined) throw new Error(`a bare & in ${JSON.stringify(text)}: ${whole}`)
    return known
  })
}

const attributesOf = (text: string): Record<string, string> => {
  const found: Record<string, string> = {}
  const rest = text.replace(/\s([\w:-]+)(?:="([^"]*)")?/g, (_, name: string, value: string | undefined) => {
    if (name in found) throw new Error(`${name} twice in ${text}`)
    found[name] = plainOf(value ?? "")
    return ""
  })
  if (rest.trim() !== "") throw new Error(`not attributes: ${JSON.stringify(rest)}`)
  return found
}

/** Reads a document. Throws for what is not well-formed. */
export const parseMarkup = (document: string): Element => {
  const body = document.replace(/^(<\?xml [^>]*\?>|<!doctype html>)\n/i, "")
  const root: { name: string; attributes: Record<string, string>; children: Array<Element | string> } = {
    name: "",
    attributes: {},
    children: []
  }
  const open = [root]
  let at = 0
  for (const match of body.matchAll(/<(\/?)([a-zA-Z][\w-]*)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*(\/?)>/g)) {
    const [whole, closing, name = "", attributes = "", empty] = match
    const parent = open.at(-1)
    if (parent === undefined) throw new Error(`${name} after the end`)
    const between = body.slice(at, match.index)
    at = match.index + whole.length
    if (between !== "") parent.children.push(parent.name === "style" ? between : plainOf(between))
    if (closing === "/") {
      if (parent.name !== name) throw new Error(`</${name}> closes <${parent.name}>`)
      open.pop()
      continue
    }
    const element = { name, attributes: attributesOf(attributes), children: [] }
    parent.children.push(element)
    if (empty !== "/" && !voidElements.has(name)) open.push(element)
  }
  if (open.length !== 1) throw new Error(`<${open.at(-1)?.name}> is not closed`)
  if (body.slice(at).trim() !== "") throw new Error(`text after the end: ${body.slice(at)}`)
  const [only, ...more] = root.children.filter((child) => typeof child !== "string")
  if (only === undefined || more.length > 0) throw new Error("not one root")
  return only
}

/** Every element, from the outside in. */
export const elements = (element: Element): ReadonlyArray<Element> => [
  element,
  ...element.children.flatMap((child) => (typeof child === "string" ? [] : elements(child)))
]

/** The text of an element. */
export const textOf = (element: Element): string =>
  element.children.map((child) => (typeof child === "string" ? child : textOf(child))).join("")
