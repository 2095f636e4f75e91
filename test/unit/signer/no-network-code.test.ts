import { readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { expect, test } from "vitest"
import { sourceOf } from "../../support/source-of.ts"

const ROOT = join(import.meta.dirname, "../../..")

/** Every file of ours that the signer loads, with static imports and the keys of all families. */
function listLoaded(entries: readonly string[]): string[] {
  const seen = new Set<string>()
  const open = [...entries]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    const text = readFileSync(join(ROOT, file), "utf8")
    for (const [, type, name = ""] of text.matchAll(
      /^(?:import|export)( type)?\b[^"]*?"([#.][^"]+\.ts)"/gm,
    )) {
      if (type !== undefined) continue
      open.push(
        name.startsWith("#") ? sourceOf(name) : relative(ROOT, join(ROOT, dirname(file), name)),
      )
    }
  }
  return [...seen].toSorted()
}

const KEYS = ["bitcoin", "evm", "solana", "starknet"].map(
  (family) => `src/edges/chains/${family}/keys/open-key.ts`,
)

test("the signer loads no client of a node, of the service or of prices, and no HTTP server", () => {
  const loaded = listLoaded(["src/app/cli/actions/host/run-signer.ts", ...KEYS])
  expect(loaded.length).toBeGreaterThan(60)
  // `ask-node.ts` belongs to the doctor's probes; it gets the function that asks as an argument.
  const clients = /\/(rpc|endpoint|endpoints|esplora|node|create-chain|exchange|json-rpc)\.ts$/
    .source
  const folders = /^src\/(\w+\/)?(service|prices|ops|engine|order|sandbox)\//.source
  const forbidden = new RegExp(`${clients}|${folders}`)
  expect(loaded.filter((file) => forbidden.test(file))).toEqual([])
  expect(
    listLoaded(["src/edges/chains/evm/create-chain.ts"]).filter((file) => forbidden.test(file)),
  ).not.toEqual([])
})
