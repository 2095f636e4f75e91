import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Idl } from "@coral-xyz/anchor"

/**
 * The interface description of a Solana HTLC program, as the published client of live deployments
 * carries it.
 */
export function readPublishedIdl(kind: "native" | "spl"): Idl {
  const file = join(CLIENT, kind, `solana_${kind}_swaps.json.d.ts`)
  const text = readFileSync(file, "utf8")
  // CAST: the file is the description as JSON inside a declaration; Anchor reads every field that
  // the tests use.
  return JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)) as Idl
}

const CLIENT = join(
  import.meta.dirname,
  "../../../node_modules/@gardenfi/core/dist/src/lib/solana/idl",
)
