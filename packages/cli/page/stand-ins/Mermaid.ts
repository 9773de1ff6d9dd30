/** Stands in for Mermaid: diagrams are shown as the text they are made of. */

const words = "This page draws no diagrams."

export default {
  initialize: (): void => undefined,
  render: (): Promise<never> => Promise.reject(new Error(words))
}
