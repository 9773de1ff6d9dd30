/**
 * JSON Patch (RFC 6902), as `STATE_DELTA.delta` and `ACTIVITY_DELTA.patch` carry it.
 *
 * These schemas say whether a patch is well formed. Whether it applies to a document is
 * the applier's question; clients only warn when it does not.
 */
import * as Schema from "effect/Schema"
import { open } from "../wire/Open.ts"

/** A JSON Pointer (RFC 6901): empty, or tokens each led by `/`. 1.0 clients end the run on anything else. */
export const JsonPointer = Schema.String.check(Schema.isPattern(/^(\/([^/~]|~[01])*)*$/u))

/** A JSON Pointer (RFC 6901). */
export type JsonPointer = typeof JsonPointer.Type

/** Inserts a value. */
export const AddOperation = open("AguiAddOperation", {
  op: Schema.Literal("add"),
  path: JsonPointer,
  value: Schema.Unknown
})

/** Inserts a value. */
export type AddOperation = typeof AddOperation.Type

/** Removes a value. */
export const RemoveOperation = open("AguiRemoveOperation", { op: Schema.Literal("remove"), path: JsonPointer })

/** Removes a value. */
export type RemoveOperation = typeof RemoveOperation.Type

/** Replaces a value. */
export const ReplaceOperation = open("AguiReplaceOperation", {
  op: Schema.Literal("replace"),
  path: JsonPointer,
  value: Schema.Unknown
})

/** Replaces a value. */
export type ReplaceOperation = typeof ReplaceOperation.Type

/** Moves a value. */
export const MoveOperation = open("AguiMoveOperation", {
  op: Schema.Literal("move"),
  from: JsonPointer,
  path: JsonPointer
})

/** Moves a value. */
export type MoveOperation = typeof MoveOperation.Type

/** Copies a value. */
export const CopyOperation = open("AguiCopyOperation", {
  op: Schema.Literal("copy"),
  from: JsonPointer,
  path: JsonPointer
})

/** Copies a value. */
export type CopyOperation = typeof CopyOperation.Type

/** Asserts a value. */
export const TestOperation = open("AguiTestOperation", {
  op: Schema.Literal("test"),
  path: JsonPointer,
  value: Schema.Unknown
})

/** Asserts a value. */
export type TestOperation = typeof TestOperation.Type

/** One operation of a patch. */
export const JsonPatchOperation = Schema.Union([
  AddOperation,
  RemoveOperation,
  ReplaceOperation,
  MoveOperation,
  CopyOperation,
  TestOperation
]).annotate({ identifier: "AguiJsonPatchOperation" })

/** One operation of a patch. */
export type JsonPatchOperation = typeof JsonPatchOperation.Type

/** Operations in order; none is a legal patch. */
export const JsonPatch = Schema.Array(JsonPatchOperation)

/** Operations in order. */
export type JsonPatch = typeof JsonPatch.Type
