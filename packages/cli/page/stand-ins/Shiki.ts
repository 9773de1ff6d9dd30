/** Stands in for all of Shiki: the grammars of what coding agents write most, each loaded when it is needed. */
import { createHighlighterCore } from "shiki/core"

const languages = {
  bash: () => import("@shikijs/langs/bash"),
  css: () => import("@shikijs/langs/css"),
  diff: () => import("@shikijs/langs/diff"),
  go: () => import("@shikijs/langs/go"),
  html: () => import("@shikijs/langs/html"),
  javascript: () => import("@shikijs/langs/javascript"),
  json: () => import("@shikijs/langs/json"),
  jsx: () => import("@shikijs/langs/jsx"),
  markdown: () => import("@shikijs/langs/markdown"),
  python: () => import("@shikijs/langs/python"),
  rust: () => import("@shikijs/langs/rust"),
  sql: () => import("@shikijs/langs/sql"),
  toml: () => import("@shikijs/langs/toml"),
  tsx: () => import("@shikijs/langs/tsx"),
  typescript: () => import("@shikijs/langs/typescript"),
  yaml: () => import("@shikijs/langs/yaml")
}

/** The languages there are, by the names that are written behind three backticks. */
export const bundledLanguages = {
  ...languages,
  js: languages.javascript,
  md: languages.markdown,
  py: languages.python,
  rs: languages.rust,
  sh: languages.bash,
  shell: languages.bash,
  ts: languages.typescript,
  yml: languages.yaml
}

const themes: Readonly<Record<string, () => Promise<unknown>>> = {
  "github-light": () => import("@shikijs/themes/github-light"),
  "github-dark": () => import("@shikijs/themes/github-dark")
}

/** What a caller asks for: themes and languages by name. */
interface Asked {
  readonly themes: ReadonlyArray<string>
  readonly langs: ReadonlyArray<string>
  readonly engine: Parameters<typeof createHighlighterCore>[0]["engine"]
}

/** A highlighter with the named themes and languages, as Shiki's own of this name makes it. */
export const createHighlighter = (asked: Asked): ReturnType<typeof createHighlighterCore> =>
  createHighlighterCore({
    engine: asked.engine,
    themes: asked.themes.flatMap((name) => themes[name] ?? []) as Array<never>,
    langs: asked.langs.flatMap((name) =>
      Object.hasOwn(bundledLanguages, name) ? [bundledLanguages[name as keyof typeof bundledLanguages]] : []
    )
  })
