/** Tables whose first line names what is in their columns. */
import { Tape } from "@agentwire/protocol"
import { describe, expect, it } from "vitest"
import { column } from "../../../src/tape/secret/Columns.ts"

const password = "Tr0ub4dor9xQ"
const key = "kX8s2JdQ0vPz7LmN4tRw1yBh6cVf3gAe5uHi"

describe("a column with a telling name", () => {
  it.each([
    ["commas", `name,password\nbob,${password}\n`],
    ["without a last newline", `name,password\nbob,${password}`],
    ["quotes", `"name","password"\n"bob","${password}"\n`],
    ["lines that end with a return", `name,password\r\nbob,${password}\r\n`],
    ["semicolons, and a name of two words", `id;API Key;mail\n1;${key};x\n2;${key};y\n`],
    ["a diff", `@@ -0,0 +1 @@\n+name,password\n+bob,${password}\n`],
    ["numbered lines", `     1\tname,password\n     2\tbob,${password}\n`],
    ["what grep found", `a/b.csv:1:name,password\na/b.csv:2:bob,${password}\n`],
    ["a quotation", `> name,password\n> bob,${password}\n`],
    ["tabs", `user\ttoken\nbob\t${key}\n`],
    ["two such columns", `password,user,token\n${password},bob,${key}\n`]
  ])("gives its values away: %s", (_, text) => {
    for (const said of [
      text,
      JSON.stringify({ type: "user", text }),
      JSON.stringify({ text: JSON.stringify({ text }) })
    ]) {
      const redacted = Tape.redactText(said)
      expect(redacted).not.toContain(password)
      expect(redacted).not.toContain(key)
      expect(redacted).toMatch(/name|id|user/)
    }
  })

  it("keeps the rest of the table, whose rows have the same cells", () => {
    expect(Tape.redactText(`name,password,mail\nbob,${password},x\namy,,y\n`)).toBe(
      "name,password,mail\nbob,REDACTED_password_1,x\namy,,y\n"
    )
    expect(Tape.redactText(`name,password\nbob,x,${password}\n`)).toContain(password)
  })

  it.each([
    "import { user,password } from './login2'\n",
    `f(user, password)\nx, ${password}\n`,
    `name, password\nbob, ${password}\n`,
    "name,password\nbob,string\n",
    "key,value\nretries2x,Retry9times\n"
  ])("is none in %j", (text) => {
    expect(Tape.redactText(text)).toBe(text)
  })

  it("of a table that has none of its rows yet waits for them, and is found when the text comes in pieces", () => {
    const frame = (data: string): Tape.Frame => ({ _tag: "Data", wait: 0, from: "agent", channel: "stderr", data })
    for (const cut of [3, 9, 10, 13, 14, 20]) {
      const text = `name,password\nbob,${password}\n`
      const redactor = Tape.makeRedactor()
      const frames = [text.slice(0, cut), text.slice(cut)].flatMap((each) => redactor.push(frame(each)))
      const all = [...frames, ...redactor.end()].map((each) => (each._tag === "Data" ? each.data : "")).join("")
      expect(all).toBe("name,password\nbob,REDACTED_password_1\n")
    }
  })

  it("is looked for once in each line, however many names are in it", () => {
    const names = (count: number) => `${"token,".repeat(count)}token`
    for (const count of [1000, 4000]) {
      const text = names(count)
      let [looks, from] = [0, 0]
      for (let at = text.indexOf("token"); at !== -1; at = text.indexOf("token", at + 1)) {
        if (at < from) continue
        looks++
        from = column(text, at).done ?? 0
      }
      expect(looks).toBeLessThan(count / 20)
    }
  })
})
