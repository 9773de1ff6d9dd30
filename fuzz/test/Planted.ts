/** Targets that break their law in known ways, to see that a campaign finds out. */
import { holds, linesOf, type Target } from "../Target.ts"

const planted = (name: string, check: (text: string) => void): Target => ({
  name,
  law: "planted",
  shape: "lines",
  words: ["needle", "hay"],
  check: (input) => {
    for (const line of linesOf(input)) check(line)
    return []
  }
})

/** The targets. */
export const targets: ReadonlyArray<Target> = [
  planted("sound", () => undefined),
  planted("breaks", (line) => holds(!line.includes("needle"), "no needle", line)),
  planted("throws", (line) => void (line.includes("needle") && JSON.parse(`{${line}`))),
  planted("hangs", (line) => {
    while (line.includes("needle"));
  })
]
