import { describe, expect, it } from "vitest"
import type { Command } from "../src/Command.ts"
import { wordsOf } from "../src/Completions.ts"

const command: Command = {
  name: "sing",
  summary: "sing a song",
  usage: "SONG",
  details: "",
  options: {
    loud: { type: "boolean", summary: "louder" },
    key: { type: "string", value: "major|minor", summary: "of the song" },
    score: { type: "string", short: "s", value: "FILE", summary: "what to sing" },
    hall: { type: "string", value: "DIR", multiple: true, summary: "where" },
    pace: { type: "string", value: "slow|N|fast", summary: "words, or a number" },
    tempo: { type: "string", value: "N", summary: "how fast" },
    either: { type: "string", value: "PATH|VERSION", summary: "in capitals it is no list" },
    secret: { type: "boolean", hidden: true, summary: "for itself" }
  },
  choices: ["hymn", "ballad"],
  run: async () => 0
}

describe("what can be completed", () => {
  it("is what the table of the command says, without what is hidden", () => {
    const { choices, options } = wordsOf(command)
    expect(choices).toEqual(["hymn", "ballad"])
    expect(Object.fromEntries(options.map(({ name, value }) => [name, value]))).toEqual({
      loud: { _tag: "None" },
      key: { _tag: "Choice", choices: ["major", "minor"] },
      score: { _tag: "File" },
      hall: { _tag: "Folder" },
      pace: { _tag: "Choice", choices: ["slow", "fast"] },
      tempo: { _tag: "Free" },
      either: { _tag: "File" },
      help: { _tag: "None" },
      debug: { _tag: "None" }
    })
    expect(options.find(({ name }) => name === "score")).toMatchObject({ short: "s", multiple: false })
    expect(options.find(({ name }) => name === "hall")).toMatchObject({ short: undefined, multiple: true })
  })
})
