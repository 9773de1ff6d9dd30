/**
 * Every stable code in the sources is explained, and nothing else is.
 */
import { readdirSync, readFileSync } from "node:fs"
import { Agui, Claude } from "@agentwire/protocol"
import { assert, describe, it } from "vitest"
import { errorPage } from "../../../../scripts/ErrorPage.ts"
import { errorAreas } from "../../src/errors/Catalogue.ts"

const root = new URL("../../../../", import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), "utf8")

const under = (folder: string): ReadonlyArray<string> =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`)

const files = [
  ...[
    "packages/bridge/src",
    "packages/cli/src",
    "packages/protocol/src/agents",
    "packages/protocol/src/translate",
    "packages/protocol/src/claude/fold",
    "packages/protocol/src/claude/transcript",
    "packages/protocol/src/model"
  ].flatMap(under),
  "packages/protocol/src/wire/Codec.ts"
].filter((path) => /\.tsx?$/.test(path) && !path.includes("/errors/") && !path.includes("/conform/"))

const explained = new Set(errorAreas.flatMap(({ codes }) => Object.keys(codes)))

/** In capitals, and no codes: names of variables, and what Node says. */
const variable =
  /^(CLAUDE|CODEX|ANTHROPIC|OPENAI|AGENTWIRE|XDG|AWS|GOOGLE|NO_COLOR|NO_PROXY|FORCE_COLOR|AI_AGENT|YOUR_TOKEN)/
const ofNode = /^(ERR_|HPE_|MODULE_NOT_FOUND$|E[A-Z]+$)/
const isOther = (literal: string): boolean =>
  variable.test(literal) || ofNode.test(literal) || Object.hasOwn(Agui.events, literal)

/** Words with an underscore in capitals, wherever they are; and anything where a code stands. */
const patterns = [
  /"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)"/g,
  /\b(?:code|why): "(\w+)"/g,
  /\b(?:refuse|refusal|farewell|useless)\("(\w+)"/g,
  /^ {2}([A-Z][A-Z0-9_]*): \d{3},?$/gm
]

const codesIn = (text: string): ReadonlyArray<string> =>
  patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, code = ""]) => code))

const found = new Map<string, string>()
for (const path of files)
  for (const code of codesIn(read(path))) if (!isOther(code) && code !== "code") found.set(code, path)

/** The codes that the agent itself has words for: they pass through the translator. */
const ofAgent: ReadonlyArray<string> = [
  ...Claude.AssistantError.literals,
  ...Claude.StartupFailureReason.literals,
  ...Claude.ResultError.fields.subtype.literals,
  "refusal",
  "api_error"
]

describe("the catalogue of errors", () => {
  it("explains every code in the sources", () => {
    const missing = [...found].filter(([code]) => !explained.has(code)).map(([code, path]) => `${code} in ${path}`)
    assert.deepStrictEqual(missing, [])
    assert.deepStrictEqual(
      ofAgent.filter((code) => !explained.has(code)),
      []
    )
    assert.isAbove(found.size, 70, "the sources were found")
  })

  it("explains nothing that is not there", () => {
    const words = files.map(read).join("\n")
    const dead = [...explained].filter(
      (code) => !found.has(code) && !ofAgent.includes(code) && !new RegExp(`"${code}"`).test(words)
    )
    assert.deepStrictEqual(dead, [])
  })

  it("says what to do about each, in whole sentences", () => {
    for (const { codes, title } of errorAreas)
      for (const [code, { means, todo }] of Object.entries(codes))
        for (const text of [means, todo]) assert.match(text, /^["`A-Z0-9].*\.$/, `${title}: ${code}`)
  })

  it("is what the page of errors says", () => {
    assert.strictEqual(read("docs/errors.md"), errorPage(), "run `npm run errors`")
  })
})
