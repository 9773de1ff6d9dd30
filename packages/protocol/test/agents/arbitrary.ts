/** Definitions that nobody would write, for the laws of both files. */
import type { AgentDefinition } from "@agentwire/protocol/agents"
import { AgentDefinition as Definition, effortsOf } from "@agentwire/protocol/agents"
import * as Schema from "effect/Schema"
import fc from "fast-check"

const isDefinition = Schema.is(Definition)

/** Texts with what ends a value, a front matter or a string in one of the two files. */
const piece = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string(),
  fc.constantFrom(
    "---",
    "\n---\n",
    "----",
    '"""',
    '""""',
    "'''",
    "\\",
    '\\"',
    "\n",
    "\n\n",
    "\t",
    ": ",
    " #",
    "# ",
    "- "
  ),
  fc.constantFrom("Grüße", "日本", "😀", "\u2028", "\u2029", "\u00a0", "%", "@", "!", "&a", "*a", "{", "}", "[", "]"),
  fc.constantFrom("true", "null", "~", "12", "0x1", "1e3", "|", ">", "name = 1", "[table]")
)
const text = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join("").trim())

const definition: fc.Arbitrary<unknown> = fc.record(
  {
    name: text,
    description: text,
    instructions: text,
    model: fc.record({ claude: text, codex: text }, { requiredKeys: [] }),
    effort: fc.constantFrom(...effortsOf.claude),
    tools: fc.array(fc.constantFrom("Read", "Bash(git log:*)", "mcp__a__b", "Bash(a, b)", "Edit(日本/**)"), {
      maxLength: 3
    })
  },
  { requiredKeys: ["name", "description", "instructions"] }
)

/** Any definition that both programs have words for, but for its tools and its models. */
export const arbitraryDefinition: fc.Arbitrary<AgentDefinition> = definition.filter(
  (value): value is AgentDefinition => isDefinition(value) && !value.description.includes("\\n")
)

/** A definition with no model but that of one runtime. */
export const withModelOf = (runtime: "claude" | "codex", { model, ...rest }: AgentDefinition): AgentDefinition => {
  const name = model?.[runtime]
  return name === undefined ? rest : { ...rest, model: { [runtime]: name } }
}
