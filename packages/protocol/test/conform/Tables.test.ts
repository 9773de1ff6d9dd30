/**
 * Every stream of docs/wire/ag-ui.md §2.3 and §3.3 gets its verdict, in both dialects, however the bytes are cut.
 */
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import type { Dialect } from "../../src/agui/Dialect.ts"
import { checkEvents, makeChecker, verdictOf } from "../../src/conform/Checker.ts"
import type { Finding } from "../../src/conform/Finding.ts"
import { checkResponseHead } from "../../src/conform/ResponseHead.ts"
import { makeSseChecker } from "../../src/conform/SseChecker.ts"
import { type Exchange, exchanges, probes, request, sent } from "./fixtures/Rows.ts"

const dialects: ReadonlyArray<Dialect> = ["1.0", "0.0"]

const document = readFileSync(new URL("../../../../docs/wire/ag-ui.md", import.meta.url), "utf8")
const rowsBetween = (from: string, to: string): ReadonlyArray<string> =>
  document
    .slice(document.indexOf(from), document.indexOf(to))
    .split("\n")
    .flatMap((line) => (/^\| (?!---)/.test(line) ? [line.split(" | ")[0]?.slice(2) ?? ""] : []))
    .slice(1)

test("no row of §2.3 is left out", () => {
  expect(probes.map(([name]) => name)).toEqual(rowsBetween("### 2.3", "### 2.4"))
})

// The body of the protobuf row is not SSE; cutting it into single bytes is done to all of them below.
const elsewhere = ["protobuf exact ct", "1-byte chunks (split UTF-8)"]

test("no row of §3.3 is left out", () => {
  const named = [...exchanges.map(({ name }) => name), ...sent.map(([name]) => name), ...elsewhere]
  const renamed = rowsBetween("### 3.3", "## 4.").map((name) =>
    name === "content-type text/event-stream; charset=utf-8" ? "content-type with charset" : name
  )
  expect([...named].sort()).toEqual([...renamed].sort())
})

describe.each([...probes, ...sent])("%s", (_name, events, current, old) => {
  test.each(dialects)("in %s", (dialect) => {
    const { findings, verdict } = checkEvents(events, { dialect, input: request })
    expect({ verdict, findings }).toEqual({ verdict: dialect === "1.0" ? current : old, findings })
  })
})

const judge = (exchange: Exchange, dialect: Dialect, size: number): ReadonlyArray<Finding> => {
  const { body, status = 200 } = exchange
  const type = "contentType" in exchange ? exchange.contentType : "text/event-stream"
  const findings = [...checkResponseHead({ status, headers: type === undefined ? {} : { "content-type": type } })]
  if (findings.some(({ level }) => level === "error")) return findings
  const reader = makeSseChecker({ dialect })
  const checker = makeChecker({ dialect, input: request })
  const bytes = new TextEncoder().encode(body)
  const items = []
  for (let at = 0; at < bytes.length; at += size) items.push(...reader.push(bytes.subarray(at, at + size)))
  items.push(...reader.end())
  for (const item of items) findings.push(...(item._tag === "Finding" ? [item.finding] : checker.push(item.event)))
  return [...findings, ...checker.end()]
}

describe.each(exchanges)("$name", (exchange) => {
  test.each(dialects)("in %s", (dialect) => {
    const whole = judge(exchange, dialect, exchange.body.length + 1)
    expect({ verdict: verdictOf(whole).verdict, whole }).toEqual({ verdict: exchange.verdict, whole })
    for (const size of [1, 2, 3, 7, 64]) expect(judge(exchange, dialect, size)).toEqual(whole)
  })
})
