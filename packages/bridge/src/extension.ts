/**
 * Extensions: others' code beside the sessions of a bridge, with methods, events, prompts of its own and web pages. How to
 * write one is in docs/extensions.md.
 */

/** Where extensions keep things. */
export { type Document, type Documents, memoryDocuments } from "./extension/Documents.ts"
/** What an extension is, for those who write one. */
export type {
  Extension,
  ExtensionContext,
  ExtensionEvent,
  ExtensionExport,
  ExtensionLog,
  ExtensionPrompt,
  ExtensionSaid,
  ExtensionStore,
  PageAnswer,
  PageRequest,
  PromptAccepted,
  SourceResponse
} from "./extension/Extension.ts"
/** What can be wrong with one. */
export { type ExtensionCode, ExtensionFailed } from "./extension/ExtensionFailed.ts"
/** The file that names them. */
export { ExtensionFile, ExtensionFileInvalid, loadExtensionFile } from "./extension/ExtensionFile.ts"
/** All extensions of a bridge, as a service. */
export { type ExtensionChoice, type ExtensionOptions, Extensions, layerExtensions } from "./extension/ExtensionHost.ts"
/** How much each may take. */
export { defaultExtensionLimits, type ExtensionLimits } from "./extension/ExtensionLimits.ts"
/** Where extensions keep things that outlive the bridge. */
export { extensionFolder, folderDocuments } from "./extension/FolderDocuments.ts"
/** How an extension is. */
export { Health as ExtensionHealth } from "./extension/Schemas.ts"
/** Extensions as what joins the gateway: their methods and events over its WebSocket. */
export { layerGatewayExtensions } from "./server/GatewayExtensionsLayer.ts"
