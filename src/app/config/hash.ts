import { createHash } from "node:crypto"
import { encodeJson } from "#lib/json.ts"
import type { Config } from "./config.ts"

/**
 * SHA-256 of the parsed configuration, in lower-case hex. Another spelling of the same values has
 * the same hash. It covers references to secrets, not the secrets,
 * and the addresses that references name. Decision records name the
 * configuration by it.
 */
export function configHash(config: Config): string {
  const chains = config.chains
    .toSorted((a, b) => (a.chain < b.chain ? -1 : 1))
    // The position of a key in the file has no meaning.
    .map((chain) => ({ ...chain, keyAt: "" }))
  const assets = config.assets.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return createHash("sha256")
    .update(encodeJson(sorted({ ...config, chains, assets })))
    .digest("hex")
}

/**
 * Sorts the keys, because their order in the file has no meaning. Lists keep their order: the order
 * of rules may matter.
 */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== "object" || value === null || "reveal" in value) return value
  const entries = Object.entries(value).map(([key, item]) => [key, sorted(item)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
