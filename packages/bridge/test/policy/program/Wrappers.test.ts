import { describe, expect, it } from "vitest"
import { shellOptions } from "../../../src/policy/program/Programs.ts"
import { unwrapCommand, wrappers } from "../../../src/policy/program/Wrappers.ts"
import { plainWord } from "../../../src/policy/shell/ShellWord.ts"

const unwrapped = (text: string) => {
  const [name = ""] = text.split(" ")
  const found = unwrapCommand(wrappers[name] ?? shellOptions, text.split(" ").map(plainWord))
  return "notUnderstood" in found ? undefined : found
}

const inner = (text: string) =>
  unwrapped(text)
    ?.inner.map(({ many, text: word, value }) => (many ? "…" : value === undefined ? `${word}?` : word))
    .join(" ")

describe("unwrapCommand", () => {
  it.each([
    ["xargs -0n 2 rm -f", "rm -f …"],
    ["xargs -I {} mv {} x", "mv {}? x"],
    ["xargs -iX mv X y", "mv X? y"],
    ["xargs --replace mv {} y", "mv {}? y"],
    ["xargs --replace=Y --null mv {} Y", "mv {} Y?"],
    ["xargs -I -n -d , a -n", "a -n?"],
    ["xargs -t", "echo …"],
    ["env -iu A b=c d e", "d e"],
    ["timeout -k 1 2 a", "a"],
    ["exec -cla x y", "y"]
  ])("finds the command in %j", (text, command) => {
    expect(inner(text)).toBe(command)
  })

  it.each([
    ...["xargs -I{} -n2 a", "xargs -n2 -I{} a", "xargs --max-lines=1 -i a", "xargs -I{} -Ix a", "xargs -J % a"],
    ...["xargs --process-slot-var=PATH a", "env -S a", "env --sp a", "timeout -k", "timeout -1 a"]
  ])("does not understand %j", (text) => {
    expect(unwrapped(text)).toBeUndefined()
  })

  it.each([
    ["bash -co pipefail x", "co", "x"],
    ["bash -euo pipefail -c x y", "euoc", "x y"],
    ["bash -c -- x", "c", "x"]
  ])("reads the options of %j as a shell does", (text, letters, command) => {
    expect(unwrapped(text)?.letters).toBe(letters)
    expect(inner(text)).toBe(command)
  })

  it.each(["bash -oc pipefail x", "bash -ooc a b x", "bash -ic x", "bash -kc x", "bash -c -o"])(
    "does not understand %j",
    (text) => {
      expect(unwrapped(text)).toBeUndefined()
    }
  )
})
