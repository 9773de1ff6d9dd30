/** The kinds of agents that `agentwire serve` has: what people call them, and which program each of them is. */
import { type RuntimeKind, runtimes } from "../runtime/Runtimes.ts"
import type { RuntimeName } from "./OptionWords.ts"

/** By kind. */
export const agentKinds: Readonly<Record<RuntimeName, { readonly program: RuntimeKind; readonly title: string }>> = {
  claude: { program: "claude", title: runtimes.claude.title },
  codex: { program: "codex", title: runtimes.codex.title },
  "codex-exec": { program: "codex", title: `${runtimes.codex.title} (codex exec)` }
}
