import { resolve } from "node:path"
import { parseDocument } from "yaml"

/**
 * The data directory that a configuration text names; a relative one starts at `from`. Mistakes
 * elsewhere in the text do not matter: the commands that stop the daemon must find its directory in
 * a file that `check` refuses.
 */
export function readDataDir(text: string, from: string): string {
  const document = parseDocument(text, { logLevel: "silent" })
  const found: unknown =
    document.errors.length === 0 ? document.toJS()?.["data_dir"] : findLine(text)
  return resolve(from, typeof found === "string" && found !== "" ? found : "./data")
}

function findLine(text: string): string | undefined {
  return /^\s*["']?data_dir["']?\s*:\s*["']?([^"'#,\n]+?)["']?\s*(?:[,#].*)?$/m.exec(text)?.[1]
}
