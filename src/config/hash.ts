import { createHash } from "node:crypto"
import { encodeJson } from "#lib/json.ts"
import type { Config } from "./config.ts"

/**
 * SHA-256 of what the configuration means, lower-case hex: the same for another spelling of the same values, and without secrets
 * (a `Secret` turns itself into its reference). Decision records name the configuration by it.
 */
export function configHash(config: Config): string {
  const chains = config.chains
    .toSorted((a, b) => (a.chain < b.chain ? -1 : 1))
    // Where a key stands in the file means nothing.
    .map((chain) => ({ ...chain, keyAt: "" }))
  const assets = config.assets.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return createHash("sha256")
    .update(encodeJson(sorted({ ...config, chains, assets })))
    .digest("hex")
}

/** The order of keys is the file's; the hash must not depend on it. The order of rules stays: it may matter. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== "object" || value === null || "reveal" in value) return value
  const entries = Object.entries(value).map(([key, item]) => [key, sorted(item)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
