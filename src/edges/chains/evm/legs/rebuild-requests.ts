import type { DepositRequest } from "#domain/deposit.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import { encodeInitiate, readAddress } from "../htlc.ts"
import { htlcsOf, requireAsset, type Wallet } from "../wallet.ts"

/** See `ChainPort.rebuildRequests`. */
export function rebuildEvmRequests(
  wallet: Wallet,
  { source }: ServiceOrder,
): readonly DepositRequest[] {
  const asset = requireAsset(wallet, source.asset)
  const redeemer = readAddress(source.redeemer)
  if (redeemer === null || !/^[0-9a-f]{64}$/.test(source.secretHash)) return []
  const { timelock, units, secretHash } = source
  const data = encodeInitiate({ redeemer, timelock, units, secretHash })
  const valueUnits = asset.token === null ? units : 0n
  return htlcsOf(asset).map((to) => {
    const transaction = { to, valueUnits, data, gasLimit: 0n, chainId: BigInt(wallet.chainId) }
    return { family: "evm", transaction, approval: null, typedData: null }
  })
}
