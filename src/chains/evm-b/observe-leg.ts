import { type Hex, sha256 } from "viem"
import type { Asset } from "#domain/asset.ts"
import { AppError } from "#lib/app-error.ts"
import type { LegObservation, LegQuery, OnChain } from "../port.ts"
import { chooseInitiated } from "./choose-initiated.ts"
import {
  findByHash,
  findHinted,
  findRefunds,
  type HtlcEvent,
  type Initiated,
  type Redeemed,
  type Refunded,
} from "./find-events.ts"
import { exactIds, type Search } from "./leg-search.ts"
import { confirmationsAt } from "./observe-move.ts"
import { fetchPaid } from "./read-payout.ts"
import type { Rpc } from "./rpc.ts"
import { readAddress, readBytes32, requireAddress, requireAsset, sameAddress, type Wallet } from "./wallet.ts"

/**
 * What the events of the configured HTLC contracts say of one leg, all read from one endpoint.
 *
 * Anybody can lock funds under a secret hash that they saw: the order is chosen by its id, derived from the query, and only where
 * that finds nothing by who funded it and how much.
 */
export function observeLeg(wallet: Wallet, rpc: Rpc, query: LegQuery): Promise<LegObservation> {
  const secretHash = requireHash(query)
  const asset = requireAsset(wallet, query.asset)
  const htlcs = searched(asset, query)
  return rpc.read((client) => observe({ client, wallet, query, asset, htlcs, secretHash }))
}

async function observe(search: Search): Promise<LegObservation> {
  const { client, wallet, query } = search
  const height = await client.getBlockNumber()
  const events = await collect(search, height)
  const initiated = await chooseInitiated(search, events.filter(isInitiated))
  const ids = initiated === null ? exactIds(search) : [initiated]
  const belongs = (event: HtlcEvent): boolean =>
    ids.some(({ htlc, orderId }) => event.htlc === htlc && event.orderId === orderId)
  const redeemed = events.filter(isRedeemed).find((event) => belongs(event) && opens(event, search.secretHash))
  const refunds = redeemed === undefined ? await findRefunds(search, ids, height) : []
  const refunded = [...events, ...refunds].filter(isRefunded).find(belongs)
  const place = (event: HtlcEvent): OnChain => placeOf(event, height, wallet.confirmations)
  return {
    height,
    initiated: initiated && { ...place(initiated), units: initiated.units },
    redeemed: redeemed
      ? {
          ...place(redeemed),
          paidUnits: await fetchPaid(search, redeemed, initiated),
          secret: redeemed.secret.slice(2),
        }
      : null,
    refunded: refunded ? { ...place(refunded), paidUnits: await fetchPaid(search, refunded, initiated) } : null,
    // `refund` needs `initiatedAt + timelock < block.number`, strictly (field notes).
    refundableAt: initiated && query.timelock !== null ? initiated.height + query.timelock + 1n : null,
  }
}

/** Where the service's hashes already show the order and its end, the history need not be searched. */
async function collect(search: Search, head: bigint): Promise<readonly HtlcEvent[]> {
  const hinted = await findHinted(search)
  const exact = exactIds(search).filter(({ version }) => version !== "v1")
  const shown = exact.some(({ htlc, orderId }) => {
    const own = hinted.filter((event) => event.htlc === htlc && event.orderId === orderId)
    return own.some(isInitiated) && own.some((event) => isRedeemed(event) && opens(event, search.secretHash))
  })
  return shown ? hinted : [...hinted, ...(await findByHash(search, head))]
}

function isInitiated(event: HtlcEvent): event is Initiated {
  return event.kind === "initiated"
}

function isRedeemed(event: HtlcEvent): event is Redeemed {
  return event.kind === "redeemed"
}

function isRefunded(event: HtlcEvent): event is Refunded {
  return event.kind === "refunded"
}

function opens({ secret }: Redeemed, secretHash: Hex): boolean {
  return sha256(secret) === secretHash
}

function placeOf({ txid, height }: HtlcEvent, head: bigint, needed: number): OnChain {
  const confirmations = confirmationsAt(height, head)
  return { txid, height, confirmations, final: confirmations >= needed }
}

/** Only configured contracts are believed, whatever the query names. */
function searched(asset: Asset, { htlc }: LegQuery): readonly Hex[] {
  if (htlc !== null && readAddress(htlc) === null) return []
  return asset.htlc.filter((known) => htlc === null || sameAddress(known, htlc)).map(requireAddress)
}

function requireHash({ secretHash }: LegQuery): Hex {
  const hash = readBytes32(secretHash)
  if (hash !== null) return hash
  throw new AppError({
    code: "evm.secret_hash",
    disposition: "hold",
    message: "The order's secret hash is not 32 bytes of hex; it cannot be looked for on chain",
    details: { secretHash: secretHash.slice(0, 80) },
  })
}
