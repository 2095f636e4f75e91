import { splitMnemonic } from "#chains/mnemonic-text.ts"
import type { Asset } from "#domain/asset.ts"
import type { Secret } from "#lib/secret.ts"
import type { StarknetChainConfig } from "../config.ts"
import { requireAddress } from "../wallet.ts"
import { isStarknetKey, starknetKeyError } from "./parse-key.ts"

/**
 * The configured account, after a check of key and addresses without the chain's SDK. The address
 * does not follow from the key: the account contract names its own. Throws `config.key` and
 * `starknet.address` (fatal).
 */
export async function readStarknetAccount(
  { account, key }: Pick<StarknetChainConfig, "account" | "key">,
  assets: readonly Asset[],
): Promise<string> {
  for (const { token, htlc } of assets)
    for (const text of [token, ...htlc]) if (text !== null) requireAddress(text)
  requireAddress(account)
  if (!(await hasKey(key))) throw starknetKeyError(key)
  return account
}

/**
 * Every valid mnemonic gives a key, because the derivation repeats until the number is below the
 * curve's order.
 */
async function hasKey(key: Secret): Promise<boolean> {
  const text = key.reveal()
  if (splitMnemonic(text) === null) return isStarknetKey(text)
  const { readMnemonic } = await import("#chains/mnemonic.ts")
  return readMnemonic(text) !== null
}
