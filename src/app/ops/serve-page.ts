import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { App, Ctx } from "./answers.ts"

/** The bundle of `web/`, which `npm run generate` writes: docs/adr/0027-dashboard-bundle.md. */
const FILES = [
  { path: "/dashboard.js", file: "dashboard.js", type: "text/javascript; charset=utf-8" },
  { path: "/dashboard.css", file: "dashboard.css", type: "text/css; charset=utf-8" },
  { path: "/icon.svg", file: "icon.svg", type: "image/svg+xml" },
] as const

/**
 * Serves the page and its three files. They are the same for each reader and hold no data, so they
 * need no token: the page asks for one.
 */
export function servePage(app: App, refuseClosed: (c: Ctx) => Response | null): void {
  app.get("/", (c) => refuseClosed(c) ?? c.html(pageWith(c.get("secureHeadersNonce") ?? "")))
  for (const { path, file, type } of FILES) {
    const text = readFileSync(join(import.meta.dirname, "page", file), "utf8")
    app.get(path, (c) => refuseClosed(c) ?? c.body(text, 200, { "content-type": type }))
  }
}

function pageWith(nonce: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Ballast</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/dashboard.css" nonce="${nonce}">
<script type="module" src="/dashboard.js" nonce="${nonce}"></script>
</head>
<body><div id="app"></div>
<noscript>The dashboard needs JavaScript. The command <code>ballast status</code> shows the
same.</noscript></body>
</html>
`
}
