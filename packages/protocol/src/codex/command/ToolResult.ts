/**
 * What a tool of the application gave back, as the result of `item/tool/call`.
 */
import type { Part } from "../../model/Content.ts"
import type { Answer } from "../../model/Request.ts"
import type { ResultOf } from "../Message.ts"
import { urlOf } from "./Prompt.ts"

type ToolResult = ResultOf<"item/tool/call">

/** The result of a call. An answer without one says why: the model reads it as the tool's error. */
export const dynamicToolResult = (answer: Answer): ToolResult => {
  switch (answer.type) {
    case "result": {
      const { content, failed } = answer
      const parts = typeof content === "string" ? [text(content)] : content.map(block)
      return { contentItems: parts, success: !failed }
    }
    case "deny":
      return { contentItems: [text(answer.reason)], success: false }
    default:
      return { contentItems: [text("The application gave no result.")], success: false }
  }
}

const text = (words: string): ToolResult["contentItems"][number] => ({ type: "inputText", text: words })

const block = (part: Part): ToolResult["contentItems"][number] => {
  if (part.type === "text") return text(part.text)
  const url = urlOf(part.source)
  if (url !== undefined && part.type === "image") return { type: "inputImage", imageUrl: url }
  if (url !== undefined && part.type === "audio") return { type: "inputAudio", audioUrl: url }
  return text(`[A part of the type ${part.type} was left out: a tool's result is text, images and recordings.]`)
}
