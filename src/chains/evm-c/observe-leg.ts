import {
  type Address,
  decodeEventLog,
  decodeFunctionData,
  getAddress,
  type Hex,
  isAddress,
  isHex,
  type Log,
  type PublicClient,
  sha256,
} from "viem"
import type { LegObservation, LegQuery, OnChain } from "#chains/port.ts"
import type { Asset } from "#domain/asset.ts"
import { deriveOrderIds, htlcAbi, tokenAbi, withPrefix } from "./htlc.ts"
import { findReceipt } from "./observe-move.ts"
import type { EvmRpc } from "./rpc.ts"

const CHUNK = 5_000n

type Context = { readonly rpc: EvmRpc; readonly chainId: number; readonly confirmations: number }
type Found = {
  readonly htlc: Address
  readonly orderId: Hex
  readonly txHash: Hex
  readonly height: bigint
  readonly logIndex: number
}
type Initiation = Found & { readonly units: bigint }
type Redemption = Found & { readonly secret: Hex }

/**
 * What our own node says of one HTLC, from the events of configured contracts only (the layout of `orders()` differs between versions).
 * A hash that the service reported only tells which receipt to read as well.
 */
export async function observeLeg(context: Context, asset: Asset, query: LegQuery): Promise<LegObservation> {
  const contracts = contractsOf(asset, query)
  return context.rpc.read(async (client) => {
    const head = await client.getBlockNumber()
    const events = await readEvents(client, contracts, query, head)
    const initiated = await chooseInitiation(client, context, query, events.initiated)
    const redeemed = initiated && events.redeemed.find(({ orderId }) => orderId === initiated.orderId)
    const refunded = initiated && events.refunded.find(({ orderId }) => orderId === initiated.orderId)
    const show = ({ txHash, height }: Found): OnChain => {
      const confirmations = Number(head - height) + 1
      return { txid: txHash, height, confirmations, final: confirmations >= context.confirmations }
    }
    return {
      height: head,
      initiated: initiated ? { ...show(initiated), units: initiated.units } : null,
      redeemed: redeemed
        ? {
            ...show(redeemed),
            paidUnits: await readPayout(client, asset, query, redeemed, initiated),
            secret: redeemed.secret.slice(2),
          }
        : null,
      refunded: refunded
        ? { ...show(refunded), paidUnits: await readPayout(client, asset, query, refunded, initiated) }
        : null,
      refundableAt: initiated && query.timelock !== null ? initiated.height + query.timelock + 1n : null,
    }
  })
}

function contractsOf(asset: Asset, query: LegQuery): Address[] {
  const configured = asset.htlc
    .filter((address) => isAddress(address, { strict: false }))
    .map((address) => getAddress(address))
  const { htlc } = query
  return htlc === null ? configured : configured.filter((address) => address.toLowerCase() === htlc.toLowerCase())
}

type Events = { initiated: Initiation[]; redeemed: Redemption[]; refunded: Found[] }

async function readEvents(client: PublicClient, address: Address[], query: LegQuery, head: bigint): Promise<Events> {
  const secretHash = withPrefix(query.secretHash)
  const logs: Log[] = [...(await readHints(client, address, query))]
  for (let fromBlock = query.fromHeight; fromBlock <= head; fromBlock += CHUNK) {
    const toBlock = fromBlock + CHUNK - 1n < head ? fromBlock + CHUNK - 1n : head
    const events = { initiated: htlcAbi[2], redeemed: htlcAbi[3], refunded: htlcAbi[4] }
    const range = { address, fromBlock, toBlock }
    logs.push(...(await client.getLogs({ ...range, event: events.initiated, args: { secretHash } })))
    logs.push(...(await client.getLogs({ ...range, event: events.redeemed, args: { secretHash } })))
    logs.push(...(await client.getLogs({ ...range, event: events.refunded })))
  }
  return sortEvents(logs, secretHash)
}

/** Receipts of the hashes that the service named: they help where a node restricts log queries. Anything odd in them is ignored. */
async function readHints(client: PublicClient, contracts: readonly Address[], { hints }: LegQuery): Promise<Log[]> {
  const hashes = [hints.initiateTx, hints.redeemTx, hints.refundTx].flatMap((hint) => {
    const hash = hint === null ? "0x" : withPrefix(hint)
    return isHex(hash) && hash.length === 66 ? [hash] : []
  })
  const receipts = await Promise.all(hashes.map((hash) => findReceipt(client, hash)))
  return receipts.flatMap((receipt) =>
    receipt?.status === "success"
      ? receipt.logs.filter((log) => contracts.some((address) => address.toLowerCase() === log.address.toLowerCase()))
      : [],
  )
}

function sortEvents(logs: readonly Log[], secretHash: Hex): Events {
  const events: Events = { initiated: [], redeemed: [], refunded: [] }
  for (const log of logs) {
    const event = decodeLog(log)
    if (event === null || log.blockNumber === null || log.transactionHash === null || log.logIndex === null) continue
    const found = {
      htlc: log.address,
      orderId: event.args.orderID,
      txHash: log.transactionHash,
      height: log.blockNumber,
      logIndex: log.logIndex,
    }
    if (event.eventName === "Initiated" && event.args.secretHash === secretHash)
      events.initiated.push({ ...found, units: event.args.amount })
    if (event.eventName === "Redeemed" && sha256(event.args.secret) === secretHash)
      events.redeemed.push({ ...found, secret: event.args.secret })
    if (event.eventName === "Refunded") events.refunded.push(found)
  }
  return events
}

function decodeLog(log: Log) {
  try {
    return decodeEventLog({ abi: htlcAbi, data: log.data, topics: log.topics })
  } catch {
    // Another event of the contract.
    return null
  }
}

/**
 * Anybody may lock something under the same secret hash. Ours is the one whose order id commits to the expected facts (v1, v2, v3), else the
 * one whose own calldata says so, else, where the facts are incomplete, one that is large enough.
 */
async function chooseInitiation(
  client: PublicClient,
  context: Context,
  query: LegQuery,
  found: readonly Initiation[],
): Promise<Initiation | null> {
  const ids = expectedIds(context, query, found)
  const byId = found.find(({ orderId }) => ids.has(orderId))
  if (byId) return byId
  const large = found.filter(({ units }) => (query.side === "source" ? units === query.units : units >= query.units))
  for (const candidate of large) {
    const redeemer = await readRedeemer(client, candidate)
    const wanted = query.side === "source" ? query.redeemer : query.owner
    if (redeemer === null || wanted === null || redeemer.toLowerCase() === wanted.toLowerCase()) return candidate
  }
  return null
}

function expectedIds({ chainId }: Context, query: LegQuery, found: readonly Initiation[]): ReadonlySet<Hex> {
  const { initiator, redeemer, timelock, units } = query
  if (initiator === null || redeemer === null || timelock === null) return new Set()
  if (!isAddress(initiator, { strict: false }) || !isAddress(redeemer, { strict: false })) return new Set()
  const facts = { chainId, secretHash: withPrefix(query.secretHash), initiator, redeemer, timelock, units }
  const amounts = new Set(found.map((initiation) => initiation.units))
  // v1's id says nothing of the amount, which the event itself then must.
  const [v1] = deriveOrderIds({ ...facts, htlc: initiator })
  const exact = found.flatMap(({ htlc }) => deriveOrderIds({ ...facts, htlc }).slice(1))
  return new Set([...exact, ...(v1 !== undefined && amounts.has(units) ? [v1] : [])])
}

async function readRedeemer(client: PublicClient, { txHash }: Found): Promise<string | null> {
  const { input } = await client.getTransaction({ hash: txHash })
  try {
    const call = decodeFunctionData({ abi: htlcAbi, data: input })
    return call.functionName === "initiate" ? call.args[0] : null
  } catch {
    // Initiated through another contract or with a signature: its calldata does not tell.
    return null
  }
}

/** What the owner received. Tokens: transfers from the HTLC in the same transaction. Native: the initiation's redeemer, else the balance's change. */
async function readPayout(
  client: PublicClient,
  asset: Asset,
  query: LegQuery,
  paying: Found,
  initiated: Initiation,
): Promise<bigint | null> {
  const owner = query.owner.toLowerCase()
  if (asset.token === null) return readNativePayout(client, query, paying, initiated)
  const token = asset.token.toLowerCase()
  const receipt = await findReceipt(client, paying.txHash)
  if (receipt === null) return null
  return receipt.logs
    .filter((log) => log.address.toLowerCase() === token)
    .flatMap((log) => readTransfer(log) ?? [])
    .filter(({ from, to }) => from.toLowerCase() === paying.htlc.toLowerCase() && to.toLowerCase() === owner)
    .reduce((sum, { amount }) => sum + amount, 0n)
}

function readTransfer(log: Log): { from: string; to: string; amount: bigint } | null {
  try {
    const event = decodeEventLog({ abi: tokenAbi, data: log.data, topics: log.topics })
    return event.eventName === "Transfer" ? event.args : null
  } catch {
    // Another event of the token.
    return null
  }
}

async function readNativePayout(
  client: PublicClient,
  query: LegQuery,
  paying: Found,
  initiated: Initiation,
): Promise<bigint | null> {
  const redeemer = query.side === "destination" ? await readRedeemer(client, initiated) : null
  if (redeemer !== null) return redeemer.toLowerCase() === query.owner.toLowerCase() ? initiated.units : 0n
  const address = getAddress(query.owner)
  try {
    const [before, after] = await Promise.all([
      client.getBalance({ address, blockNumber: paying.height - 1n }),
      client.getBalance({ address, blockNumber: paying.height }),
    ])
    return after > before ? after - before : null
  } catch {
    // The node keeps no state that old.
    return null
  }
}
