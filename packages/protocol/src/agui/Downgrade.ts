/**
 * Events of AG-UI 1.0 as a client of 0.0 reads them.
 *
 * What such a client does not know ends its run, in CopilotKit without a word (docs/wire/ag-ui.md §0), so each
 * event that has something new is written in the old way: what can be said is said, the rest is left out.
 */
import type { Content, ContentPart, PartSource } from "./ContentPart.ts"
import type { Dialect } from "./Dialect.ts"
import type { AguiEvent, AguiEventOf, EventType } from "./Event.ts"
import type { Message } from "./Message.ts"

/** An event as the peers of a dialect read it. */
export const inDialect = (event: AguiEvent, dialect: Dialect): AguiEvent => {
  if (dialect === "1.0") return event
  const rewrite = rewrites[event.type] as ((event: AguiEvent) => AguiEvent) | undefined
  return rewrite === undefined ? event : rewrite(event)
}

const rewrites: { readonly [T in EventType]?: (event: AguiEventOf<T>) => AguiEventOf<T> } = {
  RUN_STARTED: ({ input, protocolVersion: _, ...event }) =>
    input === undefined
      ? event
      : {
          ...event,
          input: {
            ...input,
            tools: input.tools ?? [],
            context: input.context ?? [],
            messages: input.messages.map(oldMessage)
          }
        },
  RUN_FINISHED: ({ outcome, ...event }) =>
    outcome === undefined || outcome.type === "cancelled"
      ? event
      : { ...event, outcome: outcome.type === "success" ? { type: "success" } : outcome },
  TOOL_CALL_RESULT: ({ content, ...event }) => ({ ...event, content: plainText(content) }),
  MESSAGES_SNAPSHOT: ({ messages, ...event }) => ({ ...event, messages: messages.map(oldMessage) })
}

const oldMessage = (message: Message): Message => {
  if (message.role === "tool") return { ...message, content: plainText(message.content) }
  if (message.role === "user" && typeof message.content !== "string")
    return { ...message, content: message.content.map(oldPart) }
  return message
}

const oldPart = (part: ContentPart): ContentPart =>
  part.type !== "text" && part.source.type === "file" ? { type: "text", text: linkTo(part.source) } : part

/** All of a body in one string: media as Markdown images and links, so that nothing is lost. */
export const plainText = (content: Content): string =>
  typeof content === "string"
    ? content
    : content
        .map((part) => {
          if (part.type === "text") return part.text
          return `${part.type === "image" ? "!" : ""}[${part.type}](${linkTo(part.source)})`
        })
        .join("\n")

const linkTo = (source: PartSource): string =>
  source.type === "data" ? `data:${source.mimeType};base64,${source.value}` : source.value
