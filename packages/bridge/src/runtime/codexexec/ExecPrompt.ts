/**
 * A prompt as `codex exec` takes it: a text on its standard input, and images as files on its command line.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promptInput } from "@agentwire/protocol/codex"
import type { Prompt } from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** What is said, in order, and the images among it. */
export interface ExecPrompt {
  readonly text: string
  readonly images: ReadonlyArray<ExecImage>
}

/** The bytes of an image, in base64. */
export interface ExecImage {
  readonly mimeType: string
  readonly data: string
}

const dataUrl = /^data:(?<mimeType>image\/[a-z0-9.+-]+)(?:;[^;,]*)*;base64,(?<data>.*)$/is

/** What exec cannot take is named to the model: nothing is left out silently. */
export const execPrompt = (prompt: Pick<Prompt, "aside" | "said">): ExecPrompt => {
  const images: Array<ExecImage> = []
  const texts: Array<string> = []
  for (const input of promptInput(prompt)) {
    if (input.type === "text") texts.push(input.text)
    else {
      const { data, mimeType } = (input.type === "image" && dataUrl.exec(String(input.url))?.groups) || {}
      if (data !== undefined && mimeType !== undefined) images.push({ mimeType, data })
      else texts.push(`[${what(input.type)} was left out: only text and images that are sent themselves can be read.]`)
    }
  }
  // It does not begin without a word (0.166: "No prompt provided via stdin.").
  return { text: texts.length === 0 ? "(No words.)" : texts.join("\n\n"), images }
}

const what = (type: string): string => (type === "image" ? "An image at an address" : "A recording")

/** Files for one process, in a folder that only this user can read. They are gone with the scope. */
export const tempFiles = (
  files: ReadonlyArray<{ readonly name: string; readonly content: string | Uint8Array }>
): Effect.Effect<ReadonlyArray<string>, never, Scope.Scope> =>
  files.length === 0
    ? Effect.succeed([])
    : Effect.map(
        Effect.acquireRelease(
          Effect.sync(() => mkdtempSync(join(tmpdir(), "agentwire-exec-"))),
          (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
        ),
        (folder) =>
          files.map(({ content, name }) => {
            const path = join(folder, name)
            writeFileSync(path, content, { mode: 0o600 })
            return path
          })
      )

/** The name of the file of an image: what it is, is told by its ending. */
export const imageName = ({ mimeType }: ExecImage, index: number): string =>
  `image-${index}.${mimeType.slice("image/".length).replace(/[^a-z0-9]/gi, "")}`
