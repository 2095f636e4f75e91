import { readFileSync } from "node:fs"

/** The version in package.json. */
export function version(): string {
  const text = readFileSync(new URL("../../../package.json", import.meta.url), "utf8")
  // CAST: our own package.json.
  return (JSON.parse(text) as { version: string }).version
}
