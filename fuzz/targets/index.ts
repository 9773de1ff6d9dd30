/** Every target there is. */
import type { Target } from "../Target.ts"
import { conformance } from "./conformance.ts"
import { decoder } from "./decoder.ts"
import { folds } from "./folds.ts"
import { framer } from "./framer.ts"
import { jsonrpc } from "./jsonrpc.ts"
import { policy } from "./policy.ts"
import { redaction } from "./redaction.ts"
import { requests } from "./requests.ts"
import { tapes } from "./tapes.ts"
import { transcripts } from "./transcripts.ts"
import { writers } from "./writers.ts"

/** Every target, from the bytes of the agent to the requests of clients. */
export const targets: ReadonlyArray<Target> = [
  framer,
  decoder,
  folds,
  transcripts,
  writers,
  conformance,
  tapes,
  redaction,
  policy,
  requests,
  jsonrpc
]
