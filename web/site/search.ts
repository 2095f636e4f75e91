import MiniSearch from "minisearch"

/** A part of a page below one heading, as `scripts/site/make-site.ts` writes it. */
type Section = {
  readonly id: string
  readonly page: string
  readonly title: string
  readonly text: string
}

declare global {
  var SECTIONS: readonly Section[] | undefined
}

const MOST = 12
const input = document.querySelector<HTMLInputElement>("#search")
const found = document.querySelector<HTMLOListElement>("#found")
let index: MiniSearch<Section> | null = null

if (input !== null && found !== null) {
  input.addEventListener("focus", load)
  input.addEventListener("input", () => show(found, input.value))
  addEventListener("keydown", (event) => {
    const isTyping = document.activeElement === input
    if (event.key === "/" && !isTyping) {
      event.preventDefault()
      input.focus()
    } else if (event.key === "Escape" && isTyping) {
      input.value = ""
      show(found, "")
    } else if (event.key === "Enter" && isTyping) found.querySelector("a")?.click()
  })
}

/** The text of all pages is fetched once a reader asks; a file opened from disk has no `fetch`. */
function load(): void {
  if (document.querySelector("script[src='sections.js']") !== null) return
  const script = document.createElement("script")
  script.src = "sections.js"
  script.addEventListener("load", () => {
    index = new MiniSearch<Section>({ fields: ["title", "text"], storeFields: ["page", "title"] })
    index.addAll(globalThis.SECTIONS ?? [])
    if (input !== null && found !== null) show(found, input.value)
  })
  document.head.append(script)
}

function show(list: HTMLOListElement, words: string): void {
  const results = index?.search(words, { prefix: true, fuzzy: 0.1, boost: { title: 3 } }) ?? []
  list.replaceChildren(
    ...results.slice(0, MOST).map(({ id, page, title }) => {
      const link = document.createElement("a")
      link.href = String(id)
      link.textContent = page === title ? String(title) : `${page}: ${title}`
      const item = document.createElement("li")
      item.append(link)
      return item
    }),
  )
}
