import type { DepositRequest } from "#domain/deposit.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import { formatAddress, formatFelt, readAddress } from "../felt.ts"
import { encodeInitiate, HASH_LAYOUTS, SELECTORS } from "../htlc.ts"
import { htlcsOf, requireAsset, type Wallet } from "../wallet.ts"

/**
 * See `ChainPort.rebuildRequests`. The order does not tell the contract's form of the secret hash,
 * so both are given.
 */
export function rebuildStarknetRequests(
  wallet: Wallet,
  { source }: ServiceOrder,
): readonly DepositRequest[] {
  const redeemer = readAddress(source.redeemer)
  if (redeemer === null || !/^[0-9a-f]{64}$/.test(source.secretHash)) return []
  const { timelock, units, secretHash } = source
  const terms = { redeemer, timelock, units, secretHash }
  return htlcsOf(requireAsset(wallet, source.asset)).flatMap((htlc) =>
    HASH_LAYOUTS.map((layout) => {
      const calldata = encodeInitiate({ terms, layout, destinationData: null }).map(formatFelt)
      const transaction = {
        to: formatAddress(htlc),
        selector: formatFelt(SELECTORS.initiate),
        calldata,
      }
      return { family: "starknet", transaction, typedData: null }
    }),
  )
}
