import { expect, test } from "vitest"
import { pageTools } from "../../../src/agui/read/PageTools.ts"

test("the tools of an application, with the schema of their input where it is one", () => {
  const parameters = { type: "object", properties: {} }
  expect(
    pageTools([
      { name: "pick", description: "Pick one.", parameters, metadata: { own: 1 } },
      { name: "odd", description: "", parameters: "none" },
      { name: "bare", description: "No input." }
    ])
  ).toEqual([
    { name: "pick", description: "Pick one.", parameters },
    { name: "odd", description: "" },
    { name: "bare", description: "No input." }
  ])
})
