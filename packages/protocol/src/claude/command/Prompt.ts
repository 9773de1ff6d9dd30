/**
 * A prompt as the `user` line Claude Code reads: text, images and documents in their order.
 */
import { type Prompt, type Steer, slashCommandOf } from "../../model/Command.ts"
import type { Content } from "../../model/Content.ts"
import type { DocumentBlock, ImageBlock, TextBlock } from "../Media.ts"
import type { User } from "../User.ts"
import { type Attachment, attachmentOf, type Bytes } from "./Attachment.ts"

/** A block of a prompt. */
export type PromptBlock = TextBlock | ImageBlock | DocumentBlock

/** The blocks of a message's content, in order. Blank text gives no block: the API refuses it. */
export const promptBlocks = (content: Content): ReadonlyArray<PromptBlock> =>
  typeof content === "string"
    ? textBlocks(content)
    : content.flatMap(
        (part): ReadonlyArray<PromptBlock> =>
          part.type === "text" ? textBlocks(part.text) : [attachedBlock(attachmentOf(part))]
      )

/**
 * The `user` line of a prompt. What the application wants known stands before the person's words. A slash command is
 * sent as a plain string, the form in which commands were recorded. The CLI skips a line whose `uuid` it has had,
 * without an answer (§5.25), so give one only where a second sending has to be prevented.
 */
export const promptLine = ({ aside = "", said }: Prompt | Steer, uuid?: string): User => {
  const blocks = [...textBlocks(aside), ...said.flatMap(({ content }) => promptBlocks(content))]
  const command = blocks.length === 1 ? slashCommandOf(said) : undefined
  return {
    type: "user",
    message: { role: "user", content: command ?? blocks },
    parent_tool_use_id: null,
    session_id: "",
    ...(uuid !== undefined && { uuid })
  }
}

const textBlocks = (text: string): ReadonlyArray<TextBlock> => (text.trim() === "" ? [] : [{ type: "text", text }])

const attachedBlock = (attachment: Attachment): PromptBlock => {
  switch (attachment.kind) {
    case "image": {
      const { bytes, mediaType } = attachment
      return { type: "image", source: "url" in bytes ? urlSource(bytes) : base64(mediaType ?? "image/png", bytes) }
    }
    case "pdf": {
      const { bytes } = attachment
      const source = "url" in bytes ? urlSource(bytes) : base64("application/pdf" as const, bytes)
      return { type: "document", source, ...titled(attachment) }
    }
    case "text": {
      const source = { type: "text", media_type: "text/plain", data: attachment.text } as const
      // An empty file is worth saying, and the API refuses an empty document.
      return attachment.text.trim() === ""
        ? { type: "text", text: `[The user attached an empty document${titleSuffix(attachment)}.]` }
        : { type: "document", source, ...titled(attachment) }
    }
    case "note":
      return { type: "text", text: attachment.text }
  }
}

const urlSource = ({ url }: Extract<Bytes, { url: string }>) => ({ type: "url", url }) as const

const base64 = <T extends string>(media_type: T, { data }: Extract<Bytes, { data: string }>) =>
  ({ type: "base64", media_type, data }) as const

const titled = ({ title }: { readonly title: string | undefined }) => (title === undefined ? {} : { title })

const titleSuffix = ({ title }: { readonly title: string | undefined }): string =>
  title === undefined ? "" : ` ${JSON.stringify(title)}`
