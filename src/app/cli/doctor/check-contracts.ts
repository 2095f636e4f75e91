import type { ChainConfig } from "#chains/chain-config.ts"
import { familyOf } from "#chains/families.ts"
import type { Asset } from "#domain/asset.ts"
import { compareContract } from "#guards/compare-contract.ts"
import type { AskHttp } from "#nodes/ask-node.ts"
import { createNodeCall } from "#nodes/ask-node.ts"
import { broken, type Diagnosis, doubtful, healthy } from "./diagnosis.ts"

const HOW_TO_PIN =
  "Run `ballast discover`, review its findings, and copy `pinned` into the configuration."

/**
 * Compares the pinned contracts of one chain with the chain, and names the contracts without a pin.
 */
export async function checkContracts(
  chain: ChainConfig,
  assets: readonly Asset[],
  ask: AskHttp,
): Promise<readonly Diagnosis[]> {
  const family = familyOf(chain)
  const reader = await family.loadContractReader?.()
  if (reader === undefined) return []
  const check = `${chain.chain} contracts`
  const own = assets.filter((asset) => asset.chain === chain.chain)
  const bare = listUnpinned(own)
  const loose =
    bare.length === 0 ? [] : [doubtful(check, `not pinned: ${bare.join(", ")}`, HOW_TO_PIN)]
  const pinned = own.flatMap((asset) => asset.pinned ?? [])
  if (pinned.length === 0) return loose
  const call = createNodeCall(family.doctor.endpointsOf(chain), ask)
  try {
    const reasons = await Promise.all(
      pinned.map(async (pin) =>
        compareContract(chain.chain, pin, await reader.readIdentity(call, pin.htlc)),
      ),
    )
    const changed = reasons.flat()
    if (changed.length === 0)
      return [...loose, healthy(check, `${pinned.length} of them as pinned`)]
    const found = changed
      .map(({ message, expected, found: now }) => `${message}: ${expected} → ${now}`)
      .join("; ")
    return [
      ...loose,
      broken(check, found, "Orders with these contracts are refused. Find out why they changed."),
    ]
  } catch (error) {
    const why =
      error instanceof Error ? error.message.replace(/\s+/g, " ").slice(0, 200) : String(error)
    return [
      ...loose,
      broken(check, `the pins cannot be compared: ${why}`, "Check the node of this chain."),
    ]
  }
}

/** The assets with a contract that has no pin. */
export function listUnpinned(assets: readonly Asset[]): readonly string[] {
  return assets
    .filter(({ htlc, pinned = [] }) =>
      htlc.some((address) => pinned.every((pin) => pin.htlc !== address)),
    )
    .map(({ id }) => id)
}
