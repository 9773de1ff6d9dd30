/** Sessions as AG-UI clients see them, without HTTP. */

/** The events of a session, from any place in its log. */
export { aguiFeed, type FedEntry } from "./face/agui/AguiFeed.ts"
/** How questions of the agent reach the people. */
export type { ApprovalMode } from "./face/agui/AguiThread.ts"
/** Writes an event as Protocol Buffers, for clients that ask for it. */
export type { ProtobufEncode } from "./face/agui/EventEncoding.ts"
