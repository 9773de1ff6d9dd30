/** Policy files, and calls they decide about. What a shell would do is another fuzzer's question (`fuzz/policy`). */

import { isRecord, parseJson } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { explainDecision } from "../../packages/bridge/src/policy/Explain.ts"
import { verdicts } from "../../packages/bridge/src/policy/PolicyFile.ts"
import { readPolicy } from "../../packages/bridge/src/policy/Rules.ts"
import { claudeToolInputs } from "../../packages/bridge/src/runtime/claude/ToolInputs.ts"
import { holds, linesOf, type Target } from "../Target.ts"

/** The policy. The first line is its file, every other line a call. */
export const policy: Target = {
  name: "policy",
  law: "a policy file is rules or named problems; every call is allowed, asked about or denied with a reason, in bounded time",
  shape: "lines",
  words: [
    ...["tool", "path", "command", "input", "reason", "default", "deny", "ask", "allow", "modes", "version", "*", "**"],
    ...[
      "Bash",
      "Read",
      "Write",
      "Glob",
      "file_path",
      "command",
      "rm *",
      "git *",
      "src/**",
      "~/",
      "../",
      "$(",
      "`",
      "<<E\n"
    ],
    ...[
      "'",
      '"',
      "\\",
      ";",
      "&&",
      "|",
      "{",
      "}",
      "((",
      "))",
      "[[",
      "]]",
      "$x",
      "bash -c",
      "find . -exec",
      "xargs ",
      "sudo "
    ]
  ],
  check: async (input) => {
    const [file = "", ...calls] = linesOf(input)
    const rules = readPolicy(file, claudeToolInputs)
    if (Result.isFailure(rules)) {
      const { code, message, problems } = rules.failure
      holds(
        message !== "" && problems.every(({ message: why, place }) => place.startsWith("$") && why !== ""),
        "a problem has a place and words",
        problems
      )
      return [code]
    }
    const seen: Array<string> = []
    // A call costs a look at the disk.
    for (const line of calls.slice(0, 20)) {
      const call = parseJson(line)
      if (!isRecord(call) || typeof call["toolName"] !== "string" || !isRecord(call["input"])) continue
      const { input, mode, toolName } = call
      const use = {
        toolName,
        input: input as Record<string, unknown>,
        cwd: "/nowhere",
        mode: typeof mode === "string" ? mode : undefined
      }
      const explained = await Effect.runPromise(explainDecision(rules.success, use))
      holds(verdicts.includes(explained.decision), "a call is decided", explained)
      holds(explained.decision === "allow" || explained.reason !== "", "who is not allowed learns why", explained)
      seen.push(
        `${explained.decision} ${explained.doubts.length === 0 ? "" : "doubtful"}${explained.parts.length > 1 ? " parts" : ""}`
      )
    }
    return seen
  }
}
