/** Whatever a method is asked with, answers or fails with comes to the other side as it was said. */
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { features, isMethod, type MethodName, methods, rowOf } from "../../src/link/Methods.ts"

const names = Object.keys(methods).filter(isMethod)

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** Values of a schema, with a fixed seed. */
const samples = <A>(schema: Schema.Decoder<A>): ReadonlyArray<A> =>
  Effect.runSync(Arbitrary.sampleEffect(Arbitrary.schema(schema), { size: 12, seed: 7 }))

describe.each(names)("%s", (name: MethodName) => {
  const row = rowOf(name)

  it.each(["params", "result"] as const)("has %s that JSON carries", (side) => {
    const schema: Schema.Decoder<unknown> = row[side]
    const decode = Schema.decodeUnknownResult(schema)
    for (const value of samples(schema)) {
      const read = decode(plain(value))
      expect(Result.isSuccess(read) ? plain(read.success) : read.failure.message).toEqual(plain(value))
    }
  })

  it("says what whoever lacks it cannot do", () => {
    expect(features[name]).toMatch(/^[a-z][^.]+$/)
  })
})

describe("failures", () => {
  const failing = names.filter((name) => rowOf(name).failure.ast._tag !== "Never")

  it.each(failing)("of %s come back as what they were", (name) => {
    const schema = rowOf(name).failure as Schema.Codec<{ readonly _tag: string; readonly message: string }, unknown>
    for (const failure of samples(schema)) {
      const read = Schema.decodeUnknownSync(schema)(plain(Schema.encodeUnknownSync(schema)(failure)))
      expect(read).toBeInstanceOf(Error)
      expect([read._tag, read.message, plain(read)]).toEqual([failure._tag, failure.message, plain(failure)])
    }
  })
})
