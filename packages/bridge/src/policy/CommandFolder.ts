/**
 * The folder in which each command of a text runs, where `cd` changes it in plain view: one command after the other at
 * the top of the text. A `cd` may fail, so the folder before it stays possible.
 */
import { basename } from "node:path"
import { forEachChild, parse, type SyntaxNode } from "unbash"
import { folderChangers } from "./program/Programs.ts"
import { expandHome } from "./RealPath.ts"
import type { ShellCommand } from "./shell/ShellText.ts"
import { type ShellWord, wordOf } from "./shell/ShellWord.ts"

/** The folders in which a command may run, the most likely one first; undefined: it may be any. */
export type Folders = ReadonlyArray<string> | undefined

/** More than this many are any. */
const maxFolders = 8

const isMove = (program: ShellWord | undefined): boolean =>
  program?.value !== undefined && folderChangers.has(basename(program.value).toLowerCase())

/** The folders of each command. */
export const foldersOf = (cwd: string, text: string, commands: ReadonlyArray<ShellCommand>): ReadonlyArray<Folders> => {
  const moves = commands.filter(({ words: [program] }) => isMove(program)).length
  const here = [cwd]
  if (moves === 0) return commands.map(() => here)
  if (plainMoves(text) !== moves) return commands.map(() => undefined)
  let folders: Folders = here
  return commands.map(({ words }) => {
    const before = folders
    if (isMove(words[0])) folders = moved(folders, words)
    return before
  })
}

const moved = (folders: Folders, [program, target, ...more]: ReadonlyArray<ShellWord>): Folders => {
  const path = target === undefined && program?.value === "cd" ? "~" : target?.value
  if (folders === undefined || path === undefined || more.length > 0 || /^$|^[-+]/.test(path)) return undefined
  if (program?.value !== "cd" && program?.value !== "pushd") return undefined
  const to = expandHome(path)
  const next = new Set([...folders.map((folder) => (to.startsWith("/") ? to : `${folder}/${to}`)), ...folders])
  return next.size > maxFolders ? undefined : [...next]
}

/** How many commands that change the folder stand in plain view; undefined: others do not. */
const plainMoves = (text: string): number | undefined => {
  let plain = 0
  let hidden = 0
  const count = (node: SyntaxNode): void => {
    if (node.type === "Command" && node.name !== undefined && isMove(wordOf(node.name))) hidden++
    forEachChild(node, count)
  }
  for (const { background, command } of parse(text).commands) {
    const isChain = command.type === "AndOr" && command.operators.every((operator) => operator === "&&")
    for (const node of isChain ? command.commands : [command]) {
      if (background !== true && node.type === "Command" && node.name !== undefined && isMove(wordOf(node.name))) {
        plain++
        hidden--
      }
      count(node)
    }
  }
  return hidden === 0 ? plain : undefined
}
