/**
 * Events as Protocol Buffers, where `@ag-ui/proto` is installed beside the command. No stock client asks for them, so
 * the package is not brought along.
 */
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import type { ProtobufEncode } from "@agentwire/bridge/agui"

/** `encode` of `@ag-ui/proto`; undefined where there is no such package. */
export const protobufEncode = async (name = "@ag-ui/proto"): Promise<ProtobufEncode | undefined> => {
  const path = resolved(name)
  if (path === undefined) return undefined
  const { encode } = (await import(pathToFileURL(path).href)) as { readonly encode?: unknown }
  return typeof encode === "function" ? (encode as ProtobufEncode) : undefined
}

const resolved = (name: string): string | undefined => {
  try {
    return createRequire(import.meta.url).resolve(name)
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND") return undefined
    throw error
  }
}
