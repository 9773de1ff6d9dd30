/** The colour of the page, which the agent can change with the tool `setAccent`. */

const storageKey = "agentwire.accent"

const isColor = (color: string): boolean => CSS.supports("color", color)

/** Whether dark text is easier to read on a colour than white one. */
const isLight = (color: string): boolean => {
  const context = new OffscreenCanvas(1, 1).getContext("2d")
  if (context === null) return false
  context.fillStyle = color
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = [...context.getImageData(0, 0, 1, 1).data].map((value) => (value / 255) ** 2.2)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18
}

const apply = (color: string): void => {
  document.documentElement.style.setProperty("--tint-chosen", color)
  document.documentElement.style.setProperty("--tint-ink", isLight(color) ? "#000000" : "#ffffff")
  document.documentElement.dataset["accent"] = color
}

/** Puts the colour back that this tab had. */
export const restoreAccent = (): void => {
  const color = sessionStorage.getItem(storageKey)
  if (color !== null && isColor(color)) apply(color)
}

/** Changes the colour, and says what became of it, for the agent to read. */
export const setAccent = (color: string): string => {
  if (!isColor(color)) return `The page did not change: ${JSON.stringify(color)} is no CSS colour.`
  sessionStorage.setItem(storageKey, color)
  apply(color)
  return `The page is now ${color}.`
}
