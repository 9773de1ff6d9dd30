/** What the style asks of every file: exports are documented, and files say what they are for. */
import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("..", import.meta.url))

const sources = [
  ...readdirSync(join(root, "packages")).map((name) => join(root, "packages", name, "src")),
  join(root, "packages", "cli", "page")
].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file))
)

/** Whatever a line exports by a name of its own: all but `export { … }` and `export *`, which others have declared. */
const exported =
  /^export (?:(?:default|declare|abstract|async) )*(?:const enum|const|let|var|function(?: ?\*)?|class|interface|type|enum|namespace|\* as) (\w+|\{(?=.*=)|\[)/

/** Exports that no comment stands before; overloads share the first one's. */
const undocumented = (source: string): ReadonlyArray<string> => {
  const lines = source.split("\n")
  return lines.filter((line, index) => {
    const name = exported.exec(line)?.[1]
    if (name === undefined) return false
    const before = lines[index - 1] ?? ""
    return !before.endsWith("*/") && !before.startsWith(`export function ${name}`)
  })
}

describe("an export that needs a comment", () => {
  it.each([
    "export const a = 1",
    "export let a = 1",
    "export const { a } = b",
    "export const [a] = b",
    "export function a() {}",
    "export function* a() {}",
    "export async function a() {}",
    "export async function* a() {}",
    "export default function a() {}",
    "export class A {}",
    "export abstract class A {}",
    "export declare const a: string",
    "export interface A {}",
    "export type A = string",
    "export enum A {}",
    "export const enum A {}",
    "export declare namespace A {}",
    'export * as A from "./A.ts"'
  ])("is %s", (line) => {
    expect(undocumented(line)).toEqual([line])
    expect(undocumented(`/** What it is. */\n${line}`)).toEqual([])
  })

  it.each(['export { a } from "./A.ts"', 'export type { A } from "./A.ts"', 'export * from "./A.ts"'])(
    "is not %s",
    (line) => expect(undocumented(line)).toEqual([])
  )
})

describe("every source file", () => {
  it.each(sources.map((file) => relative(root, file)))("%s says what it is for and what it exports", (file) => {
    const source = readFileSync(join(root, file), "utf8")
    expect(source).toMatch(/^(#!.*\n)?\/\*\*/)
    expect(undocumented(source)).toEqual([])
  })
})
