/** x */
export * from "./Message.ts"
