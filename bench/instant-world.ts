import { createHash } from "node:crypto"
import { isBitcoinRequest } from "#chains/bitcoin/deposit-request.ts"
import { isEvmRequest } from "#chains/evm/deposit-request.ts"
import { type EvmAccount, openKeyAccount } from "#chains/evm/keys/account.ts"
import { familyNamed } from "#chains/families.ts"
import { type AssetId, type ChainId, chainOf } from "#domain/asset.ts"
import type { DecodedDeposit, DepositRequest } from "#domain/deposit.ts"
import type { ReportedLeg, ServiceOrder } from "#domain/leg.ts"
import type {
  SignedTransaction,
  TransactionObservation,
  TransactionPlan,
  TransactionRequest,
} from "#domain/transaction.ts"
import { mustExist } from "#lib/assert.ts"
import type { LegObservation, LegQuery, OnChain } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { ServicePort } from "#ports/service.ts"
import { HTLC } from "../test/support/fake-ledger.ts"
import { ASSETS, BTC, ETH, WBTC } from "../test/support/fake-world.ts"
import { emptyLeg } from "../test/support/sample-job.ts"
import { agreeAll } from "./ask-endpoints.ts"

/**
 * Chains and a service that answer from maps, for the bench: each call costs a few microseconds,
 * however many orders there are. A deposit is in a final block once it is sent, and the service
 * pays out at once, unless `pays` is false.
 */
export type InstantWorld = {
  readonly chains: ReadonlyMap<ChainId, ChainPort>
  /** The same chains as one endpoint alone shows them. */
  readonly nodes: ReadonlyMap<ChainId, ChainPort>
  readonly service: ServicePort
  /** How often each call was made. */
  readonly calls: ReadonlyMap<string, number>
  /** Orders get their payout while this is true. */
  pays: boolean
  /** Calls to this chain hang while it is set. */
  silent: ChainId | null
  /** Makes another order like a known one, with its deposit. Returns its id and secret hash. */
  readonly copy: (orderId: string) => { readonly orderId: string; readonly secretHash: string }
}

export type WorldOptions = {
  /**
   * The number of endpoints a chain. Each read asks all of them at the same time, and their answers
   * must be the same.
   */
  readonly endpoints?: number
  /** How long each call takes. */
  readonly callMs?: number
  /** The time between two blocks. */
  readonly blockMs?: number
  /** Makes the signatures, with a key without money. */
  readonly account?: EvmAccount
}

/** A key without money. It makes the signatures as expensive as real ones. */
export const BENCH_KEY = `0x${"11".repeat(32)}` as const
const SIGNER = openKeyAccount(BENCH_KEY)
const SOLVER = "solver"
/** In blocks: longer than any part of the bench, so that no waiting order becomes refundable. */
const TIMELOCK = { source: 5_000n, destination: 1_000n }
const FEE = 10n
const RICH = 10n ** 15n

type Swap = { readonly txid: string; readonly height: bigint; readonly units: bigint }
type Ledger = {
  readonly chain: ChainId
  readonly kind: "account" | "utxo"
  readonly swaps: Map<string, Swap>
  readonly mined: Map<string, bigint>
  /** The next nonce that a block can include, and the transactions that wait for an earlier one. */
  nonce: number
  readonly waiting: Map<number, () => void>
  coins: number
  allowanceUnits: bigint
}
type KnownOrder = {
  readonly orderId: string
  readonly nonce: string
  readonly secretHash: string
  readonly from: AssetId
  readonly to: AssetId
  readonly sourceUnits: bigint
  readonly destinationUnits: bigint
  readonly deadlineMs: number
}

export function createInstantWorld(options: WorldOptions = {}): InstantWorld {
  const { endpoints = 1, callMs = 0, blockMs = 1_000, account = SIGNER } = options
  const startMs = Date.now()
  const calls = new Map<string, number>()
  const orders = new Map<string, KnownOrder>()
  const bySecret = new Map<string, KnownOrder>()
  const ledgers = new Map([chainOf(ETH), chainOf(BTC)].map((chain) => [chain, createLedger(chain)]))
  const height = (): bigint => BigInt(1_000 + Math.floor((Date.now() - startMs) / blockMs))
  const state = { pays: true, silent: null as ChainId | null }

  const call = async (name: string, chain: ChainId | null): Promise<void> => {
    calls.set(name, (calls.get(name) ?? 0) + 1)
    if (chain !== null && state.silent === chain) await new Promise(() => undefined)
    if (callMs > 0) await new Promise((resolve) => setTimeout(resolve, callMs))
  }
  const ledgerOf = (asset: AssetId): Ledger => mustExist(ledgers.get(chainOf(asset)), "the ledger")
  const paid = (order: KnownOrder): Swap | null => {
    const { swaps } = ledgerOf(order.to)
    const key = keyOf(ledgerOf(order.to), order.secretHash, SOLVER)
    const known = swaps.get(key)
    if (known !== undefined) return known
    const source = ledgerOf(order.from)
    if (!state.pays || !source.swaps.has(keyOf(source, order.secretHash, accountOf(source))))
      return null
    const swap = {
      txid: hashOf(`payout ${order.orderId}`),
      height: height(),
      units: order.destinationUnits,
    }
    swaps.set(key, swap)
    return swap
  }
  const paidFor = (secretHash: string): Swap | null => paidOf(bySecret.get(secretHash), paid)
  const portsWith = (count: number): ReadonlyMap<ChainId, ChainPort> => {
    const tools: Tools = { endpoints: count, height, call, account, paidFor }
    return new Map([...ledgers.values()].map((ledger) => [ledger.chain, createPort(ledger, tools)]))
  }
  const service = createService({ call, orders, bySecret, ledgerOf, paid })
  const copy = (known: string): { orderId: string; secretHash: string } => {
    const order = mustExist(orders.get(known), "the order")
    const ids = {
      orderId: hashOf(`copy ${orders.size}`),
      secretHash: hashOf(`secret of copy ${orders.size}`),
    }
    orders.set(ids.orderId, { ...order, ...ids })
    bySecret.set(ids.secretHash, { ...order, ...ids })
    const source = ledgerOf(order.from)
    const deposit = mustExist(
      source.swaps.get(keyOf(source, order.secretHash, accountOf(source))),
      "its deposit",
    )
    source.swaps.set(keyOf(source, ids.secretHash, accountOf(source)), deposit)
    return ids
  }
  return Object.assign(state, {
    chains: portsWith(endpoints),
    nodes: portsWith(1),
    service,
    calls,
    copy,
  })
}

type Tools = {
  readonly endpoints: number
  readonly height: () => bigint
  readonly call: (name: string, chain: ChainId | null) => Promise<void>
  readonly account: EvmAccount
  readonly paidFor: (secretHash: string) => Swap | null
}

function paidOf(
  order: KnownOrder | undefined,
  paid: (order: KnownOrder) => Swap | null,
): Swap | null {
  return order === undefined ? null : paid(order)
}

function createLedger(chain: ChainId): Ledger {
  const kind = chain === chainOf(BTC) ? "utxo" : "account"
  return {
    chain,
    kind,
    swaps: new Map(),
    mined: new Map(),
    nonce: 0,
    waiting: new Map(),
    coins: 0,
    allowanceUnits: 0n,
  }
}

function createPort(
  ledger: Ledger,
  { endpoints, height, call, account: keyAccount, paidFor }: Tools,
): ChainPort {
  const { chain, kind } = ledger
  const family = kind === "utxo" ? "bitcoin" : "evm"
  const account = accountOf(ledger)
  const each = <T>(act: () => T): T[] => Array.from({ length: endpoints }, act)
  const asked = async (name: string): Promise<void> => {
    if (endpoints === 1) await call(name, chain)
    else await Promise.all(each(() => call(name, chain)))
  }
  /** Each endpoint answers about the same block, as in the families. */
  const read = async <T>(name: string, answer: (at: bigint) => T): Promise<T> => {
    await asked(name)
    const at = height()
    return agreeAll(each(() => answer(at)))
  }
  return {
    chain,
    family,
    traits: familyNamed(family).traits,
    account,
    sourceExtras: {},
    destinationExtras: {},
    revealWait: () => null,
    estimateRedeemFee: async () => null,
    capRedeemFee: () => null,
    rebuildRequests: () => [],
    isAddress: (text) => text.startsWith(`${chain}/`),
    sameAddress: (a, b) => a === b,
    fetchHeight: () => read("fetchHeight", (at) => at),
    fetchBalance: () => read("fetchBalance", () => ({ units: RICH, spendableUnits: RICH })),
    estimateFees: () => read("estimateFees", () => ({ depositUnits: FEE, refundUnits: FEE })),
    decodeDeposit: (request, order, asset) => decode(ledger, request, order, asset),
    findMissingApproval: async (_asset, _spender, units) => {
      const allowanceUnits = await read("findMissingApproval", () => ledger.allowanceUnits)
      return allowanceUnits === units ? null : { setUnits: units }
    },
    planTransaction: async (request, reserved) => {
      const seen = await read("planTransaction", (at) => ({
        at,
        nonce: ledger.nonce,
        balanceUnits: RICH,
        feeUnits: FEE,
      }))
      return planFor(ledger, request, { reserved, height: seen.at })
    },
    planBump: async () => null,
    ...(kind !== "utxo" && {
      nonces: {
        bindPlan: async (plan, reserved) => agreeAll(each(() => withNonce(ledger, plan, reserved))),
        takeNonce: async () => null,
      },
      pairs: {
        canPair: async () => true,
        bindPair: async ([first, second], reserved) => {
          const bound = agreeAll(each(() => withNonce(ledger, first, reserved, 2)))
          return [bound, at(second, nonceOf(bound) + 1)] as const
        },
      },
      contracts: {
        fetchContractIdentity: async () => agreeAll(each(() => ({ code: "code" }))),
        checkPayout: async () => [],
        fetchFeedPrice: () => null,
      },
    }),
    signTransaction: async (plan) => {
      const raw = await keyAccount.signTransaction({
        type: "eip1559",
        chainId: 84_532,
        to: keyAccount.address,
        gas: 150_000n,
        value: 0n,
        maxFeePerGas: 10n ** 9n,
        maxPriorityFeePerGas: 10n ** 6n,
        nonce: nonceOf(plan),
        data: `0x${plan.digest}`,
      })
      return { plan, raw, txid: hashOf(raw) }
    },
    broadcastTransaction: async (signed) => {
      await asked("broadcastTransaction")
      send(ledger, signed, height)
    },
    observeTransaction: ({ txid }) => read("observeTransaction", () => observeMined(ledger, txid)),
    signTypedData: async ({ secretHash }) => ({
      digest: hashOf(secretHash),
      signature: secretHash,
    }),
    observeLeg: (query) => read("observeLeg", (at) => observe(ledger, query, at, paidFor)),
    proveUnfunded: async () => ({ status: "funded" }),
    fetchAgreement: async () => ({
      endpoints,
      needed: endpoints,
      agreeing: endpoints,
      reasons: [],
    }),
  }
}

type Draft = {
  readonly secretHash: string
  readonly units: string
  readonly action: TransactionRequest["action"]
}

function planFor(
  ledger: Ledger,
  request: TransactionRequest,
  { reserved, height }: { readonly reserved: ReadonlySet<string>; readonly height: bigint },
): TransactionPlan {
  const deposit =
    request.action === "initiate" || request.action === "refund" ? request.deposit : null
  const units = request.action === "approve" ? request.units : (deposit?.units ?? 0n)
  const draft: Draft = {
    secretHash: deposit?.secretHash ?? "",
    units: String(units),
    action: request.action,
  }
  const unsigned = JSON.stringify(draft)
  const plan: TransactionPlan = {
    chain: ledger.chain,
    account: accountOf(ledger),
    action: request.action,
    attempt: 0,
    unsigned,
    digest: hashOf(unsigned),
    resources: [],
    spends: request.action === "initiate" ? [{ asset: request.asset, units }] : [],
    maxFeeUnits: FEE,
    fromHeight: height,
    expiresAtHeight: null,
  }
  return ledger.kind === "utxo"
    ? { ...plan, resources: [`${hashOf(String(ledger.coins++))}:0`] }
    : withNonce(ledger, plan, reserved)
}

/** `adjacent`: so many nonces from the plan's own on are free. */
function withNonce(
  ledger: Ledger,
  plan: TransactionPlan,
  reserved: ReadonlySet<string>,
  adjacent = 1,
): TransactionPlan {
  const isTaken = (nonce: number): boolean =>
    reserved.has(`nonce:${nonce}`) || ledger.waiting.has(nonce)
  let nonce = ledger.nonce
  while (isTaken(nonce) || (adjacent === 2 && isTaken(nonce + 1))) nonce++
  return at(plan, nonce)
}

function at(plan: TransactionPlan, nonce: number): TransactionPlan {
  const resource = `nonce:${nonce}`
  if (plan.resources.includes(resource)) return plan
  return { ...plan, resources: [resource], digest: hashOf(`${plan.unsigned} ${resource}`) }
}

function send(ledger: Ledger, { plan, txid }: SignedTransaction, height: () => bigint): void {
  const include = (): void => {
    ledger.mined.set(txid, height())
    const { action, secretHash, units } = JSON.parse(plan.unsigned) as Draft
    if (action === "approve") ledger.allowanceUnits = BigInt(units)
    if (action !== "initiate") return
    ledger.allowanceUnits = 0n
    ledger.swaps.set(keyOf(ledger, secretHash, accountOf(ledger)), {
      txid,
      height: height(),
      units: BigInt(units),
    })
  }
  if (ledger.kind === "utxo") {
    include()
    return
  }
  const nonce = nonceOf(plan)
  if (nonce < ledger.nonce) return
  ledger.waiting.set(nonce, include)
  for (
    let next = ledger.waiting.get(ledger.nonce);
    next !== undefined;
    next = ledger.waiting.get(ledger.nonce)
  ) {
    next()
    ledger.waiting.delete(ledger.nonce++)
  }
}

/** The nonce of a plan; coins have none. */
function nonceOf({ resources }: TransactionPlan): number {
  const [name = ""] = resources
  return name.startsWith("nonce:") ? Number(name.slice("nonce:".length)) : 0
}

function observeMined({ mined }: Ledger, txid: string): TransactionObservation {
  const height = mined.get(txid)
  if (height === undefined) return { status: "pending" }
  return {
    status: "mined",
    ok: true,
    height,
    confirmations: 9,
    seen: true,
    final: true,
    feeUnits: FEE,
  }
}

function observe(
  ledger: Ledger,
  query: LegQuery,
  height: bigint,
  paidFor: (secretHash: string) => Swap | null,
): LegObservation {
  const isSource = query.side === "source"
  const swap = isSource
    ? ledger.swaps.get(keyOf(ledger, query.secretHash, accountOf(ledger)))
    : (paidFor(query.secretHash) ?? undefined)
  if (swap === undefined) return emptyLeg(height)
  const part: OnChain = {
    txid: swap.txid,
    height: swap.height,
    confirmations: 9,
    seen: true,
    revealable: true,
    final: true,
  }
  const redeemed = isSource
    ? null
    : { ...part, txid: hashOf(swap.txid), paidUnits: swap.units, secret: null }
  const refundableAt = swap.height + TIMELOCK[query.side]
  return {
    height,
    agreed: true,
    initiated: { ...part, units: swap.units },
    redeemed,
    refunded: null,
    refundableAt,
  }
}

type ServiceParts = {
  readonly call: Tools["call"]
  readonly orders: Map<string, KnownOrder>
  readonly bySecret: Map<string, KnownOrder>
  readonly ledgerOf: (asset: AssetId) => Ledger
  readonly paid: (order: KnownOrder) => Swap | null
}

function createService({ call, orders, bySecret, ledgerOf, paid }: ServiceParts): ServicePort {
  const notOffered = async (): Promise<never> => {
    throw new Error("the bench's service does not offer this")
  }
  return {
    fetchQuotes: async ({ from, to, sourceUnits, affiliateBps }) => {
      await call("fetchQuotes", null)
      const destinationUnits = sourceUnits - (sourceUnits * 30n) / 10_000n
      const fiat = {
        sourceFiat: sourceUnits * 1_000_000n,
        destinationFiat: destinationUnits * 1_000_000n,
      }
      return [
        {
          from,
          to,
          sourceUnits,
          destinationUnits,
          ...fiat,
          solverId: SOLVER,
          estimatedSeconds: 20,
          affiliateBps,
        },
      ]
    },
    submitOrder: async ({ quote: { from, to, sourceUnits, destinationUnits }, nonce }) => {
      await call("submitOrder", null)
      const orderId = hashOf(`order ${nonce} ${orders.size}`)
      const secretHash = hashOf(`secret ${nonce} ${orders.size}`)
      const deadlineMs = Date.now() + 3_600_000
      const order = {
        orderId,
        nonce,
        secretHash,
        from,
        to,
        sourceUnits,
        destinationUnits,
        deadlineMs,
      }
      orders.set(orderId, order)
      bySecret.set(secretHash, order)
      return { orderId, depositRequest: depositRequestOf(ledgerOf(from), order) }
    },
    fetchOrder: async (orderId) => {
      await call("fetchOrder", null)
      return report(mustExist(orders.get(orderId), "the order"), ledgerOf, paid)
    },
    findOrders: async () => null,
    submitSignature: notOffered,
    revealSecret: notOffered,
    listAssets: notOffered,
    listChains: notOffered,
    listPolicy: notOffered,
  }
}

function depositRequestOf(ledger: Ledger, order: KnownOrder): DepositRequest {
  const { secretHash, sourceUnits: units } = order
  if (ledger.kind === "utxo") return { family: "bitcoin", to: keyOf(ledger, secretHash, ""), units }
  const data = JSON.stringify({ secretHash, units: String(units) })
  const transaction = { to: HTLC, valueUnits: 0n, data, gasLimit: 100_000n, chainId: 1n }
  return { family: "evm", transaction, approval: null, typedData: null }
}

function decode(
  ledger: Ledger,
  request: DepositRequest,
  order: ServiceOrder,
  asset: AssetId,
): DecodedDeposit {
  const { redeemer, timelock, secretHash } = order.source
  const base = {
    chain: ledger.chain,
    asset,
    findings: [],
    refundTo: accountOf(ledger),
    isRefundableByUs: true,
  }
  const terms = { ...base, redeemer, timelock, hasTypedData: false }
  if (isBitcoinRequest(request)) {
    const { to: htlc, units, family } = request
    return { ...terms, family, htlcKind: "derivable-address", htlc, units, secretHash, extras: {} }
  }
  if (!isEvmRequest(request)) throw new Error("the bench has Bitcoin and EVM deposits only")
  const call = JSON.parse(request.transaction.data) as { secretHash: string; units: string }
  const { family } = request
  const fields = {
    units: BigInt(call.units),
    secretHash: call.secretHash,
    extras: { typedData: null },
  }
  return { ...terms, family, htlcKind: "contract", htlc: HTLC, ...fields }
}

function report(
  order: KnownOrder,
  ledgerOf: ServiceParts["ledgerOf"],
  paid: ServiceParts["paid"],
): ServiceOrder {
  const { orderId, nonce, deadlineMs, from, to, sourceUnits, destinationUnits } = order
  const source = ledgerOf(from)
  const deposit = source.swaps.get(keyOf(source, order.secretHash, accountOf(source))) ?? null
  const payout = paid(order)
  return {
    orderId,
    nonce,
    version: "v3",
    deadlineMs,
    affiliateFees: [],
    source: legOf(order, {
      asset: from,
      units: sourceUnits,
      ledger: source,
      swap: deposit,
      side: "source",
    }),
    destination: legOf(order, {
      asset: to,
      units: destinationUnits,
      ledger: ledgerOf(to),
      swap: payout,
      side: "destination",
    }),
  }
}

function legOf(
  { secretHash }: KnownOrder,
  part: {
    readonly asset: AssetId
    readonly units: bigint
    readonly ledger: Ledger
    readonly swap: Swap | null
    readonly side: "source" | "destination"
  },
): ReportedLeg {
  const { asset, units, ledger, swap, side } = part
  const own = accountOf(ledger)
  return {
    swapId: keyOf(ledger, secretHash, SOLVER),
    chain: chainOf(asset),
    asset,
    units,
    secretHash,
    secret: null,
    ...(side === "source"
      ? { initiator: own, redeemer: SOLVER }
      : { initiator: SOLVER, redeemer: own }),
    delegate: null,
    timelock: TIMELOCK[side],
    filledUnits: swap?.units ?? 0n,
    instantRefundTx: null,
    initiateTx: swap?.txid ?? null,
    redeemTx: side === "destination" && swap !== null ? hashOf(swap.txid) : null,
    refundTx: null,
    requiredConfirmations: 1,
    currentConfirmations: swap === null ? 0 : 1,
  }
}

/**
 * Each Bitcoin HTLC has an address of its own; a contract knows an order by secret hash and
 * initiator.
 */
function keyOf({ kind, chain }: Ledger, secretHash: string, initiator: string): string {
  return kind === "utxo" ? `${chain}/htlc-${secretHash}` : `${secretHash}/${initiator}`
}

function accountOf({ chain }: Pick<Ledger, "chain">): string {
  return `${chain}/wallet`
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}

export { ASSETS, BTC, ETH, WBTC }
