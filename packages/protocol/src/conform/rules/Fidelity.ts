/**
 * Fidelity: what a bridge from Claude Code to AG-UI may not lose, double or misstate.
 */
import { rulesOf } from "../Rule.ts"

const wire = (section: string) => `docs/wire/claude-code.md ${section}`

/** The rules of fidelity. */
export const fidelityRules = rulesOf("fidelity", {
  "AGUI-FIDELITY-001": {
    level: "error",
    requirement: "The text of the session is in the text messages.",
    spec: wire("§5.1, §5.13")
  },
  "AGUI-FIDELITY-002": {
    level: "error",
    requirement: "The text of the session is in the text messages once.",
    spec: wire("§5.2, §5.12")
  },
  "AGUI-FIDELITY-003": {
    level: "warning",
    requirement: "The thinking of the session is in the reasoning messages.",
    spec: wire("§5.1")
  },
  "AGUI-FIDELITY-004": {
    level: "error",
    requirement: "The thinking of the session is in the reasoning messages once.",
    spec: wire("§5.2")
  },
  "AGUI-FIDELITY-005": {
    level: "error",
    requirement: "The tool calls of the session are tool calls, once each.",
    spec: wire("§5.1, §5.2")
  },
  "AGUI-FIDELITY-006": {
    level: "error",
    requirement: "The arguments of a call are those that were streamed, or the whole input.",
    spec: wire("§7.49")
  },
  "AGUI-FIDELITY-007": {
    level: "error",
    requirement: "A tool_result is a TOOL_CALL_RESULT, unless the application executed the tool.",
    spec: wire("§5.6")
  },
  "AGUI-FIDELITY-008": {
    level: "error",
    requirement: "A tool_result is one TOOL_CALL_RESULT, not several.",
    spec: wire("§5.6")
  },
  "AGUI-FIDELITY-009": {
    level: "error",
    requirement: "A TOOL_CALL_RESULT has the text of its tool_result.",
    spec: wire("§5.6")
  },
  "AGUI-FIDELITY-010": {
    level: "warning",
    requirement: "That a tool failed shows in its TOOL_CALL_RESULT: in its text, its metadata or an error field.",
    spec: wire("§5.31")
  },
  "AGUI-FIDELITY-011": {
    level: "warning",
    requirement: "What a sub-agent said, called and got is there.",
    spec: wire("§5.36")
  },
  "AGUI-FIDELITY-012": {
    level: "error",
    requirement: "What a sub-agent said and called is attributed to it, and nothing else is.",
    spec: wire("§5.36")
  },
  "AGUI-FIDELITY-013": {
    level: "error",
    requirement: "A turn that failed or was stopped does not end as a success.",
    spec: `${wire("§6d")}; 1.0 events/lifecycle#cancelled-runs`
  },
  "AGUI-FIDELITY-014": {
    level: "error",
    requirement: "A turn that succeeded does not end as an error or as cancelled.",
    spec: wire("§6d")
  },
  "AGUI-FIDELITY-015": {
    level: "error",
    requirement: "A session that ends without a result does not end as a success.",
    spec: wire("§5.19")
  }
})
