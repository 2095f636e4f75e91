import { hash } from "starknet"
import type { LocalAsset } from "#sandbox/local-chain.ts"
import { SANDBOX_WALLETS } from "#sandbox/sandbox-wallets.ts"
import { callRpc } from "../../support/e2e-chain.ts"
import type { Flow, Watch } from "./flow.ts"

const OWN = BigInt(SANDBOX_WALLETS.starknet)
const TRANSFER = hash.getSelectorFromName("Transfer")
/** The fee asset, which this run does not trade. */
const FEE_ASSET = "starknet_sepolia:strk"

/**
 * Reads token flows from Transfer events and fees from receipts. The nonce gives the number of our
 * transactions.
 */
export async function watchStarknet(
  url: () => string,
  assets: readonly LocalAsset[],
): Promise<Watch> {
  const block = Number(await callRpc(url(), "starknet_blockNumber", [])) + 1
  const nonce = await readNonce(url())
  const traded = assets.filter(({ id }) => id !== FEE_ASSET)
  return {
    read: async (known) => {
      const flows = await Promise.all(traded.map((asset) => readToken(url(), asset, block)))
      const fees = (await Promise.all([...new Set(known)].map((tx) => readFee(url(), tx)))).filter(
        (fee) => fee !== null,
      )
      const mined = (await readNonce(url())) - nonce
      const ofOrders = `orders know ${fees.length}`
      const unknown = `starknet: ${mined} transactions of ours are mined, and ${ofOrders}`
      const allowances = await Promise.all(traded.map((asset) => findAllowance(url(), asset)))
      return {
        flows: flows.flat(),
        fees: { [FEE_ASSET]: fees.reduce((sum, fee) => sum + fee, 0n) },
        locked: {},
        oddities: [...(mined === BigInt(fees.length) ? [] : [unknown]), ...allowances.flat()],
      }
    },
  }
}

type Event = {
  readonly keys: readonly string[]
  readonly data: readonly string[]
  readonly transaction_hash: string
}

async function readToken(url: string, { id, token }: LocalAsset, block: number): Promise<Flow[]> {
  const events: Event[] = []
  let more: string | undefined
  do {
    const range = { from_block: { block_number: block }, to_block: "latest" }
    const page = more === undefined ? {} : { continuation_token: more }
    const filter = { ...range, ...page, address: token, keys: [[TRANSFER]], chunk_size: 1000 }
    // CAST: the shape of starknet_getEvents.
    const answer = (await callRpc(url, "starknet_getEvents", { filter })) as {
      events: Event[]
      continuation_token?: string
    }
    events.push(...answer.events)
    more = answer.continuation_token
  } while (more !== undefined)
  return events.flatMap(({ keys, data, transaction_hash: tx }): Flow[] => {
    const from = BigInt(keys[1] ?? 0)
    const to = BigInt(keys[2] ?? 0)
    const units = BigInt(data[0] ?? 0) + (BigInt(data[1] ?? 0) << 128n)
    if (from === OWN) return [{ asset: id, direction: "out", units, tx }]
    return to === OWN ? [{ asset: id, direction: "in", units, tx }] : []
  })
}

/** The fee of a transaction; `null` if it is not mined. */
async function readFee(url: string, tx: string): Promise<bigint | null> {
  try {
    // CAST: the shape of starknet_getTransactionReceipt.
    const { actual_fee } = (await callRpc(url, "starknet_getTransactionReceipt", [tx])) as {
      actual_fee: { amount: string }
    }
    return BigInt(actual_fee.amount)
  } catch (error) {
    // Error 29, "Transaction hash not found": the transaction was never mined.
    if (String(error).includes("not found")) return null
    throw error
  }
}

async function readNonce(url: string): Promise<bigint> {
  return BigInt(
    String(await callRpc(url, "starknet_getNonce", ["latest", SANDBOX_WALLETS.starknet])),
  )
}

async function findAllowance(url: string, { id, token, htlc }: LocalAsset): Promise<string[]> {
  const selector = hash.getSelectorFromName("allowance")
  const request = {
    contract_address: token,
    entry_point_selector: selector,
    calldata: [SANDBOX_WALLETS.starknet, htlc],
  }
  // CAST: starknet_call answers a list of field elements.
  const [low = "0x0"] = (await callRpc(url, "starknet_call", [request, "latest"])) as string[]
  return BigInt(low) === 0n ? [] : [`${id}: an allowance of ${BigInt(low)} is left`]
}
