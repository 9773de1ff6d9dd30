/** The OpenAPI document as a file. */
import { openApi } from "../packages/bridge/src/face/management/OpenApi.ts"

/** The text of the file. */
export const openApiFile = (): string => `${JSON.stringify(openApi(), null, 2)}\n`
