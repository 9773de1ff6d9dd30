/** The protocol reference is what the schemas and the tapes say now. */
import { readFileSync } from "node:fs"
import { Agui, Claude } from "@agentwire/protocol"
import { describe, expect, it } from "vitest"
import { protocolReference } from "../scripts/ProtocolReference.ts"

const files = protocolReference()

describe("the protocol reference", () => {
  it.each(Object.keys(files))("%s is current (`npm run reference` writes it)", (name) => {
    expect(readFileSync(new URL(`../docs/protocol/${name}`, import.meta.url), "utf8")).toBe(files[name])
  })

  it("has every message, control request and event", () => {
    const claude = files["claude-code.md"] ?? ""
    for (const name of [...Object.keys(Claude.messages), ...Object.keys(Claude.controlRequests)])
      expect(claude).toContain(`| \`${name}\` |`)
    for (const type of Object.keys(Agui.events)) expect(files["ag-ui.md"]).toContain(`\`"${type}"\``)
  })

  it("tells what every message is", () => {
    const [messages = ""] = (files["claude-code.md"] ?? "").split("## Their parts")
    const silent = [...messages.matchAll(/^### (\w+)\n\n\|/gm)].map(([, name]) => name)
    expect(silent).toEqual([])
  })
})
