import { createHash, randomBytes } from "node:crypto"
import type {
  LocalAsset,
  LocalChain,
  LocalSwap,
  ObservedTransaction,
  SwapObservation,
  SwapRequest,
} from "#sandbox/local-chain.ts"

/**
 * A LocalChain in memory, for tests of the service. Every text that starts with the chain's name is
 * an address.
 */
export function createMemoryChain(options: MemoryChainOptions): MemoryChain {
  const { name, family } = options
  const control: MemoryChainControl = {
    calls: [],
    autoMine: true,
    loseInitiateAnswer: false,
    hidePending: false,
    broken: null,
    clockSkewMs: 0,
  }
  const methods = createChainMethods(control)
  return {
    name,
    family,
    assets: (options.symbols ?? ["btc"]).map((symbol) => describeAsset(name, symbol, family)),
    url: `memory:${name}`,
    timelocks: options.timelocks ?? { source: 20, destination: 5 },
    requiredConfirmations: options.requiredConfirmations ?? 1,
    chainId: family === "evm" ? 84_532 : family === "starknet" ? "SN_SEPOLIA" : null,
    control,
    ...methods,
    isAddress: (text) => text.startsWith(name),
    describeSource: async (request) => {
      const swap = describeSwap(options, "source", request)
      return { swap, response: describeAnswer(family, swap) }
    },
    describeDestination: async (request) => describeSwap(options, "destination", request),
    advance: async (blocks) => methods.mine(blocks),
    stop: async () => {},
  }
}

export type MemoryChainOptions = {
  readonly name: string
  readonly family: LocalChain["family"]
  readonly symbols?: readonly string[]
  readonly timelocks?: { source: number; destination: number }
  readonly requiredConfirmations?: number
}

export type MemoryChain = LocalChain & {
  readonly control: MemoryChainControl
  /** Funds the HTLC, as a user's wallet does. */
  deposit(swapId: string, units: bigint): string
  mine(blocks: number): void
}

export type MemoryChainControl = {
  /** Every write, as `<method> <swap id>`. */
  readonly calls: string[]
  /** False: a block comes only from `mine`. */
  autoMine: boolean
  /** `initiate` funds the HTLC but never answers. */
  loseInitiateAnswer: boolean
  /** `observeSwap` shows only mined transactions, as a chain that finds swaps by their events. */
  hidePending: boolean
  /** Every observation and write fails with this text. */
  broken: string | null
  /** Offset of the timestamps of new transactions. */
  clockSkewMs: number
}

type MemoryEvent = { readonly tx: string; block: bigint | null; readonly atMs: number }

type Htlc = {
  readonly initiated: MemoryEvent
  readonly filledUnits: bigint
  redeemed: MemoryEvent | null
  refunded: MemoryEvent | null
  secret: string
}

type ChainMethods = Pick<
  MemoryChain,
  | "balance"
  | "deposit"
  | "fund"
  | "height"
  | "initiate"
  | "initiateWithSignature"
  | "observeSwap"
  | "mine"
  | "redeem"
  | "refund"
>

function createChainMethods(control: MemoryChainControl): ChainMethods {
  const balances = new Map<string, bigint>()
  const htlcs = new Map<string, Htlc>()
  let height = 100n
  const mine = (blocks: number): void => {
    const events = [...htlcs.values()].flatMap((htlc) => [
      htlc.initiated,
      htlc.redeemed,
      htlc.refunded,
    ])
    for (const event of events) if (event && event.block === null) event.block = height + 1n
    height += BigInt(blocks)
  }
  const credit = (address: string, assetId: string, units: bigint): void => {
    balances.set(`${address} ${assetId}`, (balances.get(`${address} ${assetId}`) ?? 0n) + units)
  }
  const deposit = (swapId: string, filledUnits: bigint): string => {
    if (htlcs.has(swapId)) throw new Error("HTLC: duplicate order")
    const initiated = newEvent(control)
    htlcs.set(swapId, { initiated, filledUnits, redeemed: null, refunded: null, secret: "" })
    if (control.autoMine) mine(1)
    return initiated.tx
  }
  const recordCall = (method: string, swap: LocalSwap): void => {
    rejectWhenBroken(control)
    control.calls.push(`${method} ${swap.swapId}`)
  }
  const settle = (swap: LocalSwap, kind: "redeemed" | "refunded", receiver: string): string => {
    const htlc = htlcs.get(swap.swapId)
    if (!htlc) throw new Error("HTLC: order not initiated")
    if (htlc.redeemed || htlc.refunded) throw new Error("HTLC: order fulfilled")
    const event = newEvent(control)
    htlc[kind] = event
    credit(receiver, swap.asset, htlc.filledUnits)
    if (control.autoMine) mine(1)
    return event.tx
  }
  return {
    mine,
    deposit,
    height: async () => height,
    balance: async (address, assetId) => balances.get(`${address} ${assetId}`) ?? 0n,
    fund: async (address, assetId, units) => {
      credit(address, assetId, units)
      return newEvent(control).tx
    },
    observeSwap: async (swap) => {
      rejectWhenBroken(control)
      return showHtlc(htlcs.get(swap.swapId), height, control.hidePending)
    },
    initiate: async (swap) => {
      recordCall("initiate", swap)
      const tx = deposit(swap.swapId, BigInt(swap.units))
      if (control.loseInitiateAnswer) await new Promise(() => {})
      return tx
    },
    initiateWithSignature: async (swap, signature) => {
      recordCall("initiateWithSignature", swap)
      if (signature !== "0xgood") throw new Error("HTLC: invalid initiator signature")
      return deposit(swap.swapId, BigInt(swap.units))
    },
    redeem: async (swap, secret) => {
      recordCall("redeem", swap)
      rejectWrongSecret(swap, secret)
      Object.assign(htlcs.get(swap.swapId) ?? {}, { secret })
      return settle(swap, "redeemed", swap.redeemer)
    },
    refund: async (swap) => {
      recordCall("refund", swap)
      rejectBeforeTimelock(swap, htlcs.get(swap.swapId), height)
      return settle(swap, "refunded", swap.initiator)
    },
  }
}

function rejectWrongSecret(swap: LocalSwap, secret: string): void {
  const hash = createHash("sha256").update(Buffer.from(secret, "hex")).digest("hex")
  if (hash !== swap.secretHash) throw new Error("HTLC: incorrect secret")
}

function rejectBeforeTimelock(swap: LocalSwap, htlc: Htlc | undefined, height: bigint): void {
  const since = htlc?.initiated.block ?? height
  if (since + BigInt(swap.timelock) >= height) throw new Error("HTLC: order not expired")
}

function rejectWhenBroken(control: MemoryChainControl): void {
  if (control.broken !== null) throw new Error(control.broken)
}

function newEvent(control: MemoryChainControl): MemoryEvent {
  return {
    tx: randomBytes(32).toString("hex"),
    block: null,
    atMs: Date.now() + control.clockSkewMs,
  }
}

function showHtlc(htlc: Htlc | undefined, height: bigint, hidePending: boolean): SwapObservation {
  const show = (event: MemoryEvent | null | undefined): ObservedTransaction | null => {
    if (!event || (hidePending && event.block === null)) return null
    const confirmations = event.block === null ? 0 : Number(height - event.block) + 1
    return {
      txHash: event.tx,
      blockNumber: event.block ?? 0n,
      confirmations,
      timestampMs: event.atMs,
    }
  }
  const initiated = show(htlc?.initiated)
  const redeemed = show(htlc?.redeemed)
  return {
    initiated: htlc && initiated ? { ...initiated, filledUnits: htlc.filledUnits } : null,
    redeemed: htlc && redeemed ? { ...redeemed, secret: htlc.secret } : null,
    refunded: show(htlc?.refunded),
  }
}

function describeSwap(
  options: MemoryChainOptions,
  side: LocalSwap["side"],
  request: SwapRequest,
): LocalSwap {
  const { name, family } = options
  return {
    side,
    chain: name,
    asset: request.assetId,
    units: request.units.toString(),
    owner: request.owner,
    swapId: createHash("sha256").update(`${name} ${side} ${request.secretHash}`).digest("hex"),
    initiator: side === "source" ? request.owner : `${name} solver`,
    redeemer: side === "source" ? `${name} solver` : request.owner,
    ...(family === "bitcoin"
      ? { delegate: request.delegate ?? "d".repeat(64), instantRefundTx: "02000000" }
      : {}),
    timelock: request.timelock,
    secretHash: request.secretHash,
    extra: {},
  }
}

const DECIMALS: Readonly<Record<string, number>> = { btc: 8, wbtc: 8, usdc: 6, eth: 18, sol: 9 }
const NATIVE = ["btc", "eth", "sol"]

function describeAsset(chain: string, symbol: string, family: LocalChain["family"]): LocalAsset {
  return {
    id: `${chain}:${symbol}`,
    decimals: DECIMALS[symbol] ?? 8,
    token: NATIVE.includes(symbol) ? null : `0x${"7".repeat(40)}`,
    htlc: family === "bitcoin" ? null : `0x${"4".repeat(40)}`,
  }
}

/** Create answers with the shapes of the service interface §2 and placeholder content. */
function describeAnswer(family: LocalChain["family"], swap: LocalSwap): Record<string, unknown> {
  const transaction = {
    to: `0x${"4".repeat(40)}`,
    value: "0x0",
    data: "0x97ffc7ae",
    gas_limit: "0x3d090",
    chain_id: 84_532,
  }
  switch (family) {
    case "bitcoin":
      return { to: swap.swapId, amount: swap.units }
    case "evm":
      return { transaction, typed_data: { primaryType: "Initiate" } }
    case "solana":
      return { versioned_tx: "01ab" }
    case "starknet":
      return {
        transaction: { to: "0x4", selector: "0x1", calldata: ["0x2"] },
        typed_data: { primaryType: "Initiate" },
      }
  }
}
