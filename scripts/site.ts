import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { makeSite } from "./site/make-site.ts"

/** `npm run site [-- --out DIR]`: the docs as static pages; open `index.html` of the folder. */
const { values } = parseArgs({ options: { out: { type: "string", default: "artifacts/site" } } })
const out = resolve(values.out)
await makeSite(out)
console.log(`The site is in ${join(out, "index.html")}`)
