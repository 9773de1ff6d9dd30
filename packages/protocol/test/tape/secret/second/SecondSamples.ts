/**
 * A second set of made-up secrets, independent of the rules and of the first (`../Samples.ts`): written from what
 * vendors and other scanners say, before the rules here were read.
 */
import { makeRandom } from "../Samples.ts"
import { forms } from "./Forms.ts"
import { named } from "./Named.ts"
import { alone, around, beside } from "./Places.ts"
import { written } from "./Written.ts"

/** A text with secrets in it. */
export interface SecondSample {
  readonly kind: string
  readonly place: string
  readonly text: string
  /** What must not be left of them. */
  readonly secrets: ReadonlyArray<string>
}

const lower = "abcdefghijklmnopqrstuvwxyz"
const alpha = lower + lower.toUpperCase()
const digits = "0123456789"

const alphabets: Readonly<Record<string, string>> = {
  hex: `${digits}abcdef`,
  HEX: `${digits}ABCDEF`,
  digit: digits,
  id: digits,
  hexid: `${digits}abcdef`,
  IDS: digits + lower.toUpperCase(),
  alpha,
  alnum: digits + alpha,
  small: digits + lower,
  big: digits + lower.toUpperCase(),
  b32: `${lower.toUpperCase()}234567`,
  bech: "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
  base64: `${digits}${alpha}+/`,
  url: `${digits}${alpha}_-`,
  azure: `${digits}${alpha}_.`,
  salesforce: `${digits}${alpha}._`,
  dollar: "$",
  salt: `${digits}${alpha}!@#%^&*()-_[]{}<>~+=,.;:/?|`
}

const shown = new Set(["dollar", "hexid", "id", "IDS", "uuidid"])
const words = "ocean maple crater violin ladder puzzle tunnel saddle ribbon velvet cactus hockey".split(" ")
const blank = /\{(uuid|uuidid|plain|password|escaped|words|[a-zA-Z]\w*)(?::(\d+))?\}/g

/** Fills the blanks of a form. */
const filler = (seed: number) => {
  const { from, uuid } = makeRandom(seed)
  const plain = () => `${from(lower)(5)}${from(lower.toUpperCase())(2)}${from(digits)(2)}${from(lower)(3)}`
  const made = (kind: string, length: number): string | undefined => {
    if (kind === "uuid" || kind === "uuidid") return uuid()
    if (kind === "plain") return plain()
    if (kind === "password") return `${plain()}${from("!%*+.-")(1)}${from(digits)(2)}`
    if (kind === "escaped") return `${plain()}%40${from(lower)(4)}%21`
    if (kind === "words") return Array.from({ length }, () => words[Number(from(digits)(1))]).join(" ")
    const alphabet = alphabets[kind]
    return alphabet === undefined ? undefined : from(alphabet)(length)
  }
  return (form: string): { readonly text: string; readonly secrets: ReadonlyArray<string> } => {
    const secrets: Array<string> = []
    const text = form.replace(blank, (all, kind: string, length?: string) => {
      const part = made(kind, Number(length ?? 1))
      if (part === undefined) return all
      if (!shown.has(kind)) secrets.push(part)
      return part
    })
    return { text, secrets }
  }
}

/** Whether enough of a secret is left to recognise it: six characters in a row. */
export const isLeft = (text: string, secrets: ReadonlyArray<string>): boolean =>
  secrets.some((secret) => {
    for (let at = 0; at + 6 <= secret.length; at++) if (text.includes(secret.slice(at, at + 6))) return true
    return false
  })

/** Every kind in every place that it turns up in. */
export const secondSamples = (seed: number): ReadonlyArray<SecondSample> => {
  const fill = filler(seed)
  return [
    ...forms.flatMap(([kind, form]) => {
      const { secrets, text } = fill(form)
      return [
        ...beside.map(([place, write]) => ({
          kind,
          place: `setting, ${place}`,
          text: write("SETTING", text),
          secrets
        })),
        ...alone.map(([place, write]) => ({ kind, place, text: write(text), secrets }))
      ]
    }),
    ...named.flatMap(([name, value]) => {
      const { secrets, text } = fill(value)
      return beside.map(([place, write]) => ({ kind: name, place, text: write(name, text), secrets }))
    }),
    ...written.flatMap(([kind, form]) => {
      const { secrets, text } = fill(form)
      return around.map(([place, write]) => ({ kind, place, text: write(text), secrets }))
    })
  ]
}
