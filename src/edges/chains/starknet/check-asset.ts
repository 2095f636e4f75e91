import { z } from "zod"
import type { Asset } from "#domain/asset.ts"
import type { Finding } from "#domain/deposit.ts"
import { findCoinFaults } from "#domain/native-coin.ts"
import { feltSchema, formatAddress } from "./felt.ts"
import { SELECTORS } from "./htlc.ts"
import { type BlockReader, callIfThere, fetchClassHash } from "./nodes/read-chain.ts"
import { starknetTraits } from "./traits.ts"
import { htlcsOf, tokenOf } from "./wallet.ts"

/**
 * Compares an asset's configuration with the chain at one block: a class at the token and at each
 * HTLC, the token's `decimals`, and the `token` of each HTLC.
 */
export async function findAssetFaults(
  asset: Asset,
  view: BlockReader,
): Promise<readonly Finding[]> {
  const token = tokenOf(asset)
  const ofHtlcs = await Promise.all(htlcsOf(asset).map((htlc) => findHtlcFaults(htlc, token, view)))
  return [...(await findTokenFaults(asset, token, view)), ...ofHtlcs.flat()]
}

async function findTokenFaults(
  asset: Asset,
  token: bigint,
  view: BlockReader,
): Promise<readonly Finding[]> {
  const { decimals } = asset
  const ofCoin = findCoinFaults(asset, starknetTraits.nativeCoin)
  if (ofCoin.length > 0) return ofCoin
  if ((await fetchClassHash(view, token)) === null) return [absent("token", token)]
  const found = await readFelt(view, token, SELECTORS.decimals)
  if (found === BigInt(decimals)) return []
  const message =
    "the token has other decimals, so that every amount would be wrong; correct decimals or " +
    "token of the asset"
  const shown = found === null ? `no decimals at ${formatAddress(token)}` : `${found} decimals`
  return [
    { code: "asset.decimals_differ", message, expected: `${decimals} decimals`, found: shown },
  ]
}

/**
 * Every layout of the HTLC that is known has a `token` view, so a contract without one is another
 * contract.
 */
async function findHtlcFaults(htlc: bigint, token: bigint, view: BlockReader): Promise<Finding[]> {
  if ((await fetchClassHash(view, htlc)) === null) return [absent("HTLC", htlc)]
  const found = await readFelt(view, htlc, SELECTORS.token)
  if (found === token) return []
  const message =
    "the HTLC holds another token than the asset's; correct htlc or token of the asset"
  const shown = found === null ? `no token view at ${formatAddress(htlc)}` : formatAddress(found)
  return [{ code: "asset.htlc_token", message, expected: formatAddress(token), found: shown }]
}

/** `null` where the contract has no such view. */
async function readFelt(view: BlockReader, to: bigint, selector: bigint): Promise<bigint | null> {
  return (await callIfThere(view, to, selector, [], z.array(feltSchema)))?.[0] ?? null
}

function absent(what: string, address: bigint): Finding {
  const problem = `the configured ${what} is not a contract on this chain`
  const message = `${problem}; correct its address or the chain`
  return {
    code: "asset.no_contract",
    message,
    expected: `a class at ${formatAddress(address)}`,
    found: "no contract",
  }
}
