import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, join, posix } from "node:path"
import { gunzipSync } from "node:zlib"
import { build } from "esbuild"
import MarkdownIt from "markdown-it"
import { bundleDashboard } from "../bundle-dashboard.ts"
import { MENU } from "./menu.ts"

const ROOT = join(import.meta.dirname, "../..")
const SITE = join(ROOT, "web", "site")
const DEMO = "demo.html"

type Section = { id: string; page: string; title: string; text: string }
type Page = { readonly file: string; readonly name: string; readonly title: string }

/** Makes the site of the docs in `out`: static files that need no server. */
export async function makeSite(out: string): Promise<void> {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  const pages = listPages()
  const sections: Section[] = []
  for (const page of pages) {
    const body = renderPage(page, pages, sections)
    writeFileSync(join(out, page.name), frame(page.title, page.name, body, pages))
  }
  writeFileSync(join(out, "sections.js"), `globalThis.SECTIONS=${JSON.stringify(sections)}\n`)
  cpSync(join(ROOT, "docs", "pictures"), join(out, "pictures"), { recursive: true })
  cpSync(join(ROOT, "docs", "openapi.json"), join(out, "openapi.json"))
  cpSync(join(SITE, "site.css"), join(out, "site.css"))
  writeFileSync(join(out, "site.js"), await bundle("search.ts"))
  writeFileSync(join(out, DEMO), await makeDemo())
}

function listPages(): readonly Page[] {
  const listed = MENU.flatMap(([, files]) => files)
  const decisions = globSync("docs/adr/[0-9]*.md", { cwd: ROOT }).sort()
  const missing = globSync("docs/*.md", { cwd: ROOT }).filter((file) => !listed.includes(file))
  if (missing.length > 0) throw new Error(`scripts/site/menu.ts lacks ${missing.join(", ")}`)
  return [...listed, ...decisions].map((file) => {
    const [, title = file] = /^# (.*)$/m.exec(readFileSync(join(ROOT, file), "utf8")) ?? []
    return { file, name: nameOf(file), title: title.replaceAll("`", "") }
  })
}

/** All pages lie in one folder, so that a link between two is the other one's name. */
function nameOf(file: string): string {
  if (file === "README.md") return "index.html"
  return file.replace("docs/adr/", "adr-").replace("docs/", "").replace(/\.md$/, ".html")
}

function renderPage(page: Page, pages: readonly Page[], sections: Section[]): string {
  const markdown = new MarkdownIt({ html: true })
  const tokens = markdown.parse(readFileSync(join(ROOT, page.file), "utf8"), {})
  const taken = new Map<string, number>()
  for (const [index, token] of tokens.entries()) {
    const inline = tokens[index + 1]
    if (token.type === "heading_open" && inline) {
      const title = (inline.children ?? []).map(({ content }) => content).join("")
      const slug = slugOf(title, taken)
      token.attrSet("id", slug)
      sections.push({ id: `${page.name}#${slug}`, page: page.title, title, text: "" })
    }
    const section = sections.at(-1)
    if (section && (token.type === "inline" || token.type === "fence"))
      section.text += `${token.content}\n`
    pointLinks(token.children ?? [], page.file, pages)
  }
  return markdown.renderer
    .render(tokens, markdown.options, {})
    .replaceAll("<table>", '<div class="wide" tabindex="0"><table>')
    .replaceAll("</table>", "</table></div>")
    .replaceAll("<pre>", '<pre tabindex="0">')
}

/** The anchor that code hosts give a heading: links between the pages use it. */
function slugOf(title: string, taken: Map<string, number>): string {
  const slug = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-")
  const count = taken.get(slug) ?? 0
  taken.set(slug, count + 1)
  return count === 0 ? slug : `${slug}-${count}`
}

type Token = ReturnType<InstanceType<typeof MarkdownIt>["parse"]>[number]

/** Links to pages and pictures lead to the site; files of the checkout are not on it. */
function pointLinks(tokens: readonly Token[], from: string, pages: readonly Page[]): void {
  let tag = "a"
  for (const token of tokens) {
    if (token.type === "link_close") token.tag = tag
    const key = token.type === "image" ? "src" : "href"
    const link = token.attrGet(key)
    if (link === null) continue
    const target = targetOf(String(link), from, pages)
    tag = target === null ? "span" : "a"
    if (target !== null) token.attrSet(key, target)
    else {
      token.tag = tag
      token.attrs = [["title", String(link)]]
    }
  }
}

function targetOf(link: string, from: string, pages: readonly Page[]): string | null {
  if (/^(\w+:|#)/.test(link)) return link
  const [path = "", anchor] = link.split("#")
  const file = posix.join(posix.dirname(from), path)
  const readme = posix.join(file, "README.md")
  const page = pages.find((candidate) => candidate.file === file || candidate.file === readme)
  if (page === undefined) return /^docs\/(pictures\/|openapi)/.test(file) ? file.slice(5) : null
  return anchor === undefined ? page.name : `${page.name}#${anchor}`
}

function frame(title: string, name: string, body: string, pages: readonly Page[]): string {
  const linkTo = (href: string, text: string): string => {
    const current = href === name ? ' aria-current="page"' : ""
    return `<li><a href="${href}"${current}>${text}</a></li>`
  }
  const groups = MENU.map(([group, files]) => {
    const links = pages.filter(({ file }) => files.includes(file))
    const items = links.map((page) => linkTo(page.name, page.title))
    return `<h2>${group}</h2><ul>${items.join("")}</ul>`
  })
  const demo = `<ul>${linkTo(DEMO, "The desk, with recorded answers")}</ul>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === "Ballast" ? title : `${title} · Ballast`}</title>
<link rel="stylesheet" href="site.css">
<script defer src="site.js"></script>
</head>
<body>
<aside>
<label>Search <input id="search" type="search" autocomplete="off"></label>
<ol id="found" aria-live="polite"></ol>
<nav aria-label="Pages">${groups.join("")}${demo}</nav>
</aside>
<main>
${body}</main>
</body>
</html>
`
}

/** The desk's own page with its script inside, because a file on disk may load no modules. */
async function makeDemo(): Promise<string> {
  const files = new Map((await bundleDashboard(ROOT)).map(({ name, text }) => [name, text]))
  const recording = gunzipSync(readFileSync(join(SITE, "recording.json.gz"))).toString()
  const script = (text = "", kind = ""): string =>
    `<script${kind}>${text.replaceAll("</script", "<\\/script")}</script>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The desk of Ballast, with recorded answers</title>
<style>${files.get("dashboard.css")}</style>
${script(`globalThis.RECORDING=${recording}`)}
${script(await bundle("demo.ts"))}
${script(files.get("dashboard.js"), ' type="module"')}
</head>
<body><div id="app"></div></body>
</html>
`
}

async function bundle(file: string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [join("web", "site", file)],
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022",
    minify: true,
    charset: "utf8",
    logLevel: "silent",
  })
  const [made] = outputFiles
  if (made === undefined) throw new Error(`esbuild wrote nothing for ${basename(file)}`)
  return made.text
}
