import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { parseConfig } from "#config/load.ts"
import { Secret } from "#lib/secret.ts"
import { describeConfig, refreshConfigDocs } from "../../scripts/config-docs.ts"

const ROOT = join(import.meta.dirname, "../..")
const docs = readFileSync(join(ROOT, "docs", "CONFIG.md"), "utf8")

describe("docs/CONFIG.md", () => {
  test("has the tables that scripts/config-docs.ts generates from the schema", () => {
    expect(docs).toBe(refreshConfigDocs(docs))
  })

  test("states type, default and meaning of every key", () => {
    const cells = describeConfig()
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    expect(cells.length).toBeGreaterThan(90)
    expect(cells.filter((row) => row.length !== 6 || row.slice(1, 5).includes(""))).toEqual([])
  })

  test("has a first example that loads", () => {
    const example = /```yaml\n([\s\S]*?)```/.exec(docs)?.[1] ?? ""
    const secrets = (reference: string): Secret => new Secret("play-token-of-16-letters", reference)
    const config = parseConfig(example, { file: "docs/CONFIG.md", secrets })
    expect(config.chains).toHaveLength(2)
    expect(config.rules).toHaveLength(1)
  })

  test("is found stale when a default changes", () => {
    const stale = docs.replace(
      "`8` | The highest number of in-flight orders",
      "`9` | The highest number of in-flight orders",
    )
    expect(stale).not.toBe(docs)
    expect(refreshConfigDocs(stale)).toBe(docs)
  })
})
