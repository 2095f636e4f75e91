import { join } from "node:path"
import type { EngineMutant } from "../fault-sim/engine-mutants.ts"

const ROOT = join(import.meta.dirname, "../../..")

/**
 * The options of a Node process that loads production code with these edits: each text `find`
 * becomes `replace`. A process that does not find the text ends, so that no run tries a mistake
 * that is not there. Its children load the same.
 */
export function plantByHook(edits: EngineMutant["edits"]): string {
  const planted = edits.map(({ file, ...edit }) => ({ ...edit, file: join(ROOT, file) }))
  const module = `
    import { readFileSync } from "node:fs"
    import { registerHooks } from "node:module"
    import { fileURLToPath } from "node:url"
    const edits = ${JSON.stringify(planted)}
    const change = (source, { file, find, replace }) => {
      const parts = source.split(find)
      const times = parts.length - 1
      if (times !== 1) throw new Error(file + " has this text " + times + " times: " + find)
      return parts.join(replace)
    }
    registerHooks({
      load: (url, context, nextLoad) => {
        const loaded = nextLoad(url, context)
        const place = url.startsWith("file:") ? fileURLToPath(url) : null
        const own = edits.filter(({ file }) => file === place)
        if (own.length === 0) return loaded
        return { ...loaded, source: own.reduce(change, readFileSync(place, "utf8")) }
      },
    })`
  return `--import=data:text/javascript,${encodeURIComponent(module)}`
}
