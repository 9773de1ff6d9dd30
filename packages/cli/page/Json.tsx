/** Values as people read them: JSON with its keys, strings and the rest told apart. */
import { parseJson } from "@agentwire/protocol/wire"
import type { ReactNode } from "react"
import { cut } from "./JsonText.ts"

const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** A text, coloured where it is JSON. Long texts are cut: nobody reads a megabyte. */
export const Json = ({ text }: { readonly text: string }) => {
  const shown = cut(text, 20_000)
  if (parseJson(text) === undefined) return <pre className="json">{shown}</pre>
  const parts: Array<ReactNode> = []
  let end = 0
  for (const found of shown.matchAll(tokens)) {
    const kind = found[2] !== undefined ? "key" : found[1] !== undefined ? "string" : "value"
    const word = found[1] ?? found[0]
    parts.push(shown.slice(end, found.index))
    parts.push(
      <span className={`json-${kind}`} key={found.index}>
        {word}
      </span>
    )
    end = found.index + word.length
  }
  return (
    <pre className="json">
      {parts}
      {shown.slice(end)}
    </pre>
  )
}
