import { type Hex, parseEventLogs } from "viem"
import type { Asset } from "#domain/asset.ts"
import type { LegQuery } from "../port.ts"
import { deriveOrderIds, type OrderIds, tokenAbi } from "./htlc.ts"
import type { Client } from "./rpc.ts"
import { readAddress, sameAddress, tokenOf, type Wallet } from "./wallet.ts"

/** All that one observation needs at hand. */
export type Search = {
  readonly client: Client
  readonly wallet: Wallet
  readonly query: LegQuery
  readonly asset: Asset
  readonly htlcs: readonly Hex[]
  readonly secretHash: Hex
}

/** An order id and the contract version that gives it. */
export type ExactId = { readonly htlc: Hex; readonly orderId: Hex; readonly version: keyof OrderIds }

/** The ids that the query's terms give, those that cover most terms first; none where a term is unknown. */
export function exactIds({ wallet, query, htlcs, secretHash }: Search): readonly ExactId[] {
  const [initiator, redeemer] = [readAddress(query.initiator), readAddress(query.redeemer)]
  const { timelock, units } = query
  if (initiator === null || redeemer === null || timelock === null) return []
  const terms = { redeemer, timelock, units, secretHash }
  const byHtlc = htlcs.map((htlc) => ({ htlc, ids: deriveOrderIds(wallet.chainId, htlc, initiator, terms) }))
  return VERSIONS.flatMap((version) => byHtlc.map(({ htlc, ids }) => ({ htlc, orderId: ids[version], version })))
}

const VERSIONS = ["v3", "v2", "v1"] as const

/** The asset's token from one address to another within one transaction. */
export async function sumTransfers(search: Search, hash: Hex, from: Hex, to: Hex): Promise<bigint> {
  const token = tokenOf(search.asset)
  const { logs } = await search.client.getTransactionReceipt({ hash })
  const transfers = parseEventLogs({ abi: tokenAbi, eventName: "Transfer", logs, strict: true })
  return transfers
    .filter((log) => readAddress(log.address) === token && sameAddress(log.args.from, from))
    .filter((log) => sameAddress(log.args.to, to))
    .reduce((sum, log) => sum + log.args.value, 0n)
}
