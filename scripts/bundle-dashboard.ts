import { readFileSync } from "node:fs"
import { join } from "node:path"
import { build } from "esbuild"

/** A file of the page, as `src/app/ops/page/` holds it. */
export type PageFile = { readonly name: string; readonly text: string }

/** Its licence asks that every copy carries this notice. */
const NOTICE =
  "/*! Ballast's dashboard, made from web/ by `npm run generate`. It contains Preact (MIT), " +
  "(c) 2015-present Jason Miller. */"

/**
 * Bundles `web/` with Preact into one script and one style. The same sources and the same esbuild
 * give the same bytes on every machine.
 */
export async function bundleDashboard(root: string): Promise<readonly PageFile[]> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { dashboard: "web/main.tsx", style: "web/style.css" },
    outdir: "src/app/ops/page",
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    minify: true,
    lineLimit: 160,
    charset: "utf8",
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    logLevel: "silent",
    banner: { js: NOTICE },
  })
  const textOf = (name: string): string => {
    const found = outputFiles.find(({ path }) => path.endsWith(name))
    if (found === undefined) throw new Error(`esbuild wrote no ${name}`)
    return found.text
  }
  return [
    { name: "dashboard.js", text: textOf("dashboard.js") },
    { name: "dashboard.css", text: textOf("style.css") },
    { name: "icon.svg", text: readFileSync(join(root, "web/icon.svg"), "utf8") },
  ]
}
