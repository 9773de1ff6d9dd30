import { expect, test } from "vitest"
import { Chance } from "../../../bench/soak/Chance.ts"
import { maxInputBytes } from "../../mutate/Bytes.ts"
import { mutateJson } from "../../mutate/Json.ts"
import { makeInput } from "../../mutate/Mutate.ts"

const kept = ['{"a":[1,{"b":"c"}]}\n{"d":null}\n', "no JSON\n", ""].map((text) => new Uint8Array(Buffer.from(text)))
const lines = { shape: "lines", words: ["word"] } as const

test("the same seed makes the same inputs, of no more than the largest size", () => {
  for (let seed = 0; seed < 300; seed++) {
    const [one, other] = [makeInput(new Chance(seed), lines, kept), makeInput(new Chance(seed), lines, kept)]
    expect(Buffer.from(one).equals(other)).toBe(true)
    expect(one.length).toBeLessThanOrEqual(maxInputBytes)
  }
})

test("seeds make different inputs, most of them with lines that are JSON", () => {
  const made = Array.from({ length: 300 }, (_, seed) =>
    Buffer.from(makeInput(new Chance(seed), lines, kept)).toString()
  )
  expect(new Set(made).size).toBeGreaterThan(200)
})

test("a changed line is JSON, and keys can be what an object literal has not", () => {
  const changed = Array.from({ length: 2000 }, (_, seed) =>
    mutateJson(new Chance(seed), '{"a":[1,{"b":"c"}],"d":{}}', '{"x":[2]}', ["word"])
  )
  for (const line of changed) expect(() => JSON.parse(line ?? "")).not.toThrow()
  expect(changed.some((line) => line?.includes('"__proto__":'))).toBe(true)
  expect(mutateJson(new Chance(1), "no JSON", "{}", [])).toBeUndefined()
})
