/**
 * Events as Protocol Buffers, where `@ag-ui/proto` is installed beside the command. No stock client asks for them, so
 * the package is not brought along.
 */
import type { ProtobufEncode } from "@agentwire/bridge"

/** `encode` of `@ag-ui/proto`; undefined where there is no such package. */
export const protobufEncode = async (name = "@ag-ui/proto"): Promise<ProtobufEncode | undefined> => {
  try {
    const { encode } = (await import(name)) as { readonly encode?: unknown }
    return typeof encode === "function" ? (encode as ProtobufEncode) : undefined
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") return undefined
    throw error
  }
}
