/**
 * The JSON of a value in pieces, each of which is written in a moment: to write a text of megabytes in one go takes longer
 * than anybody should have to wait. Together the pieces are what `JSON.stringify` gives.
 */

/** About how many characters a piece has. */
export const pieceLength = 65_536

/** A list or an object of which something is still to be written. */
interface Open {
  readonly items: Iterator<readonly [key: string | undefined, item: unknown]>
  readonly end: "]" | "}"
  isEmpty: boolean
}

/**
 * The JSON of a value that JSON can express, in pieces of about so many characters; no character is cut. Nothing recurses: a
 * value may be deeper than the stack.
 */
export function* jsonPieces(value: unknown, length: number = pieceLength): Generator<string, void> {
  const open: Array<Open> = []
  let piece = ""
  let next: unknown = value
  for (;;) {
    if (typeof next === "string" && next.length > length) {
      if (piece !== "") yield piece
      yield* textPieces(next, length)
      piece = ""
    } else if (typeof next !== "object" || next === null) piece += JSON.stringify(next) ?? "null"
    else if ("toJSON" in next && typeof next.toJSON === "function") piece += JSON.stringify(next) ?? "null"
    else if (Array.isArray(next)) {
      piece += "["
      open.push({ items: itemsOf(next), end: "]", isEmpty: true })
    } else {
      piece += "{"
      open.push({ items: fieldsOf(next), end: "}", isEmpty: true })
    }
    for (;;) {
      if (piece.length >= length) {
        yield piece
        piece = ""
      }
      const holder = open.at(-1)
      if (holder === undefined) {
        if (piece !== "") yield piece
        return
      }
      const { done, value: entry } = holder.items.next()
      if (done === true) {
        piece += holder.end
        open.pop()
        continue
      }
      const [key, item] = entry
      if (!holder.isEmpty) piece += ","
      holder.isEmpty = false
      if (key !== undefined && key.length > length) {
        yield piece
        yield* textPieces(key, length)
        piece = ":"
      } else if (key !== undefined) piece += `${JSON.stringify(key)}:`
      next = item
      break
    }
  }
}

function* itemsOf(list: ReadonlyArray<unknown>): Generator<readonly [undefined, unknown], void> {
  for (const item of list) yield [undefined, item]
}

function* fieldsOf(value: object): Generator<readonly [string, unknown], void> {
  const fields = value as Readonly<Record<string, unknown>>
  for (const key of Object.keys(fields)) {
    const item = fields[key]
    if (item !== undefined && typeof item !== "function" && typeof item !== "symbol") yield [key, item]
  }
}

function* textPieces(text: string, length: number): Generator<string, void> {
  for (let from = 0; from < text.length; ) {
    const end = cutAfter(text, from + length)
    const json = JSON.stringify(text.slice(from, end))
    yield `${from === 0 ? '"' : ""}${json.slice(1, -1)}${end === text.length ? '"' : ""}`
    from = end
  }
}

/** Where a text is cut, at or behind a place: not within a character of two units. */
const cutAfter = (text: string, at: number): number =>
  at >= text.length ? text.length : (text.codePointAt(at - 1) ?? 0) > 0xffff ? at + 1 : at
