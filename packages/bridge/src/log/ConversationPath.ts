/**
 * Where the entries of a conversation lie: a path of segments through the branches of its thread, and the position that
 * the next entry gets. Positions only grow, whatever the branch.
 */
import { type Checkpoint, type Segment, trunk } from "../store/Checkpoint.ts"

/** Where the entries of a conversation lie. */
export interface ConversationPath {
  readonly path: ReadonlyArray<Segment>
  readonly nextPosition: number
}

/** The path at a checkpoint. Without one it is the beginning. */
export const pathAt = (checkpoint: Checkpoint | undefined): ConversationPath => ({
  path: checkpoint?.path ?? trunk,
  nextPosition: checkpoint?.nextPosition ?? 0
})

/** The branch that new entries are on. */
export const branchOf = ({ path }: Pick<ConversationPath, "path">): number => path.at(-1)?.branch ?? 0
