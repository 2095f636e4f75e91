import {
  type Chain,
  type CustomTransport,
  createPublicClient,
  custom,
  defineChain,
  type Hex,
  type PublicClient,
} from "viem"
import { AppError, transient } from "#lib/app-error.ts"
import { type Address, hostOf } from "#nodes/address.ts"
import { createNetworkCheck, requireNetwork } from "#nodes/network-check.ts"
import { type AskOptions, createPaces } from "#nodes/paces.ts"
import { createRpcClient } from "#nodes/rpc-client.ts"
import { evmDialect } from "./dialect.ts"
import { createPinnedReads, type PinnedReads } from "./pinned-reads.ts"

/** One JSON-RPC endpoint with its own viem client. viem itself never retries here. */
export type Endpoint = {
  /** Its host, without access keys. */
  readonly host: string
  readonly checkNetwork: () => Promise<void>
  /** For transactions that the service names: `RpcClient.advise`. */
  readonly advisor: EvmClient
  /** Throws AppErrors, also for a foreign error. */
  ask<T>(ask: Ask<T>): Promise<T>
  /**
   * As `ask`, with a client that names the block of a state by its hash. `pins` is `null` where the
   * endpoint does not do that, or has just refused it: then its blocks go by their numbers, and
   * `ask` runs again.
   */
  askPinned<T>(
    block: BlockName,
    ask: (client: EvmClient, pins: PinnedReads | null) => Promise<T>,
  ): Promise<T>
}

type BlockName = { readonly height: bigint; readonly hash: Hex }

export type EvmClient = PublicClient<CustomTransport, Chain>
export type Ask<T> = (client: EvmClient) => Promise<T>

export function createEndpoint(
  address: Address,
  { chainId, timeoutMs, clock, paces = createPaces(clock) }: AskOptions & { chainId: number },
): Endpoint {
  const host = hostOf(address)
  const chain = defineChain({
    id: chainId,
    name: `chain ${chainId}`,
    nativeCurrency: { name: "Native", symbol: "NATIVE", decimals: 18 },
    rpcUrls: { default: { http: [] } },
  })
  const pace = paces(address, timeoutMs)
  const shared = { address, dialect: evmDialect, timeoutMs, clock, pace }
  const rpc = createRpcClient({ ...shared, batches: true, advised: "eth_getTransactionReceipt" })
  const clientOf = (send: PinnedReads["request"]): EvmClient => {
    const request = (asked: { method: string; params?: unknown }): Promise<unknown> =>
      send(asked.method, asked.params ?? [])
    const transport = custom({ request }, { retryCount: 0 })
    return createPublicClient({ chain, transport, cacheTime: 0, ccipRead: false })
  }
  // A call that changes the chain is never part of a batch.
  const client = clientOf((method, params) =>
    /^eth_send/.test(method) ? rpc.write(method, params) : rpc.read(method, params),
  )
  const network = createNetworkCheck(async () => {
    const found = await client.getChainId()
    requireNetwork(found === chainId, { ...WRONG, host, expected: chainId, found })
  })
  const coded = async <T>(asked: Promise<T>): Promise<T> => {
    try {
      return await asked
    } catch (error) {
      throw translate(host, error)
    }
  }
  const ask: Endpoint["ask"] = (question) => coded(network.first().then(() => question(client)))
  const pinning: Pinning = { isProven: false, refusals: 0 }
  return {
    host,
    checkNetwork: () => coded(network.again()),
    advisor: clientOf(rpc.advise),
    ask,
    askPinned: (block, question) =>
      ask(async () => {
        if (pinning.refusals >= MOST_REFUSALS) return question(client, null)
        const pins = createPinnedReads(rpc, block, pinning.isProven)
        const pinned = await tryPinned(pins, pinning, () => question(clientOf(pins.request), pins))
        return pinned === null ? question(client, null) : pinned.value
      }),
  }
}

const WRONG = { code: "evm.wrong_chain", setting: "rpc or chain_id" }

/**
 * `refusals`: one after another. After too many of them the endpoint is asked by numbers alone,
 * until the process ends.
 */
type Pinning = { isProven: boolean; refusals: number }
const MOST_REFUSALS = 3

/**
 * `null`: the endpoint has refused a block by its hash, or ignored the hash. A refusal may be a
 * reorganisation, so it is not the last word.
 */
async function tryPinned<T>(
  pins: PinnedReads,
  pinning: Pinning,
  ask: () => Promise<T>,
): Promise<{ readonly value: T } | null> {
  try {
    const value = await ask()
    if (await pins.isHonoured()) {
      Object.assign(pinning, { isProven: true, refusals: 0 })
      return { value }
    }
    pinning.refusals = pins.isRefused() ? pinning.refusals + 1 : MOST_REFUSALS
  } catch (error) {
    if (!pins.isRefused()) throw error
    pinning.refusals++
  }
  return null
}

/**
 * viem wraps the errors of our transport. An error of viem itself means that an answer did not have
 * the published shape.
 */
function translate(host: string, error: unknown): AppError {
  for (let each = error; each instanceof Error; each = each.cause)
    if (each instanceof AppError) return each
  const [found = ""] = String(error).split("\n")
  return transient(
    "evm.nonsense",
    `An answer of the EVM endpoint is invalid (${found.slice(0, 120)}); check the url, and that ` +
      "the configured contracts exist there",
    { host, found: String(error).slice(0, 300) },
    error,
  )
}
