import { createHash } from "node:crypto"
import { listUsedNonces } from "#chains/account-uses.ts"
import { isBitcoinRequest } from "#chains/bitcoin/deposit-request.ts"
import { isEvmRequest } from "#chains/evm/deposit-request.ts"
import { familyNamed } from "#chains/families.ts"
import { isSolanaRequest } from "#chains/solana/deposit-request.ts"
import { isStarknetRequest } from "#chains/starknet/deposit-request.ts"
import type { Asset, AssetId, ChainId, Family } from "#domain/asset.ts"
import { chainOf } from "#domain/asset.ts"
import type { ContractIdentity } from "#domain/contract-identity.ts"
import type { DecodedDeposit, DepositRequest } from "#domain/deposit.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import type { Payout } from "#domain/payout.ts"
import type { Reason } from "#domain/reason.ts"
import type {
  SignedTransaction,
  TransactionObservation,
  TransactionPlan,
  TransactionRequest,
} from "#domain/transaction.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import type { AccountUses } from "#ports/account-uses.ts"
import type { Capabilities, WaitingLeg } from "#ports/chain/capabilities.ts"
import type {
  LegObservation,
  LegQuery,
  OnChain,
  UnfundedProof,
  UnfundedQuery,
} from "#ports/chain/htlc-reader.ts"
import type { PlanOptions } from "#ports/chain/transactions.ts"
import type { ChainPort } from "#ports/chain.ts"
import { accountResource } from "./fake-burns.ts"
import { MAX_FEE } from "./fake-fees.ts"
import { type FakeLedger, HTLC, type LedgerTx, type SwapTerms } from "./fake-ledger.ts"
import { capOf, createPlainOffers, type FakeOffers } from "./fake-offers.ts"
import {
  createBlockScan,
  listTouchedLegs,
  visibleFrom,
  visibleHeight,
  type WatchedSwap,
} from "./fake-touched-legs.ts"
import { failure } from "./faults.ts"

export type FakeChainOptions = {
  readonly chain: ChainId
  readonly ledger: FakeLedger
  readonly assets: readonly Asset[]
  /** The depth at which a fact is final. */
  readonly confirmations: number
  /** The depth at which a fact is seen; by default the chain does not tell. */
  readonly seenDepth?: number
  /**
   * By default the usual family of the ledger's kind. Starknet must be given, because it is
   * `account` as EVM is.
   */
  readonly family?: Family
  /** The newest block is usually at most this old. By default the chain tells no time. */
  readonly blockSlackMs?: number
  /** The current fee of a transaction. Above `MAX_FEE` planning is refused. */
  readonly fee?: () => bigint
  /** By default every node knows `fee`. */
  readonly offers?: FakeOffers
  /** Receives every signature, so that tests find two signatures that do not exclude each other. */
  readonly signatures: string[]
  /** True: deposits of tokens are sent together with their approvals. */
  readonly pairs?: () => boolean
  /**
   * The code of the contracts by address, where it is not the first one. A test replaces it to
   * change a contract.
   */
  readonly codes?: ReadonlyMap<string, string>
}

export { FEE, MAX_FEE } from "./fake-fees.ts"

/** The number of blocks for which a Solana transaction is valid. */
export const LIFE_IN_BLOCKS = 60n

/**
 * The call data of a contract deposit, written by the fake service and read by the fake decoder.
 */
export type ContractCall = { redeemer: string; timelock: bigint; units: bigint; secretHash: string }

/** A chain port over a fake ledger. The same plan always gives the same bytes and id. */
export function createFakeChain(options: FakeChainOptions): ChainPort {
  const { chain, ledger, signatures } = options
  const account = accountOf(chain)
  const family = familyOf(options)
  const offers = offersOf(options)
  return {
    chain,
    family,
    traits: familyNamed(family).traits,
    account,
    sourceExtras: {},
    destinationExtras: {},
    revealWait: () => ({ units: BigInt(options.confirmations - 1) }),
    estimateRedeemFee: async () => estimateOr(MAX_FEE, () => offers.first("refund", null)),
    capRedeemFee: (_asset, stake) => capOf(stake),
    isAddress: (text) => text.startsWith(`${chain}/`),
    sameAddress: (a, b) => a === b,
    fetchHeight: async () => ledger.height(),
    fetchBalance: async (asset, reserved) => {
      const { balances, outpoints } = ledger.state()
      const units = balances.get(asset) ?? 0n
      if (ledger.kind !== "utxo") return { units, spendableUnits: units }
      const free = [...outpoints].filter(([outpoint]) => !reserved.has(outpoint))
      return { units, spendableUnits: free.reduce((sum, [, value]) => sum + value, 0n) }
    },
    estimateFees: async () => {
      const units = offers.first("initiate", null)
      return { depositUnits: units, refundUnits: units }
    },
    rebuildRequests: () => [],
    decodeDeposit: (request, order, asset) => decode(chain, request, order, asset),
    findMissingApproval: async (asset, spender, units) =>
      (ledger.state().allowances.get(`${asset}/${spender}`) ?? 0n) === units
        ? null
        : { setUnits: units },
    planTransaction: async (intent, reserved, how) => plan(options, intent, reserved, how),
    planBump: async (old, stake = null, pace = null) => {
      const draft = readDraft(old.unsigned)
      const { action, attempt } = old
      const bumped = offers.raised({ action, attempt, fee: draft.fee }, stake ?? pace)
      if (bumped === null) return null
      return toPlan(options, action, attempt + 1, { ...draft, fee: bumped }, old.spends)
    },
    signTransaction: async (planned) => {
      signatures.push(`${planned.action} ${planned.resources.join(" ")} ${planned.digest}`)
      const raw = `signed ${planned.unsigned}`
      return { plan: planned, raw, txid: hashOf(raw) }
    },
    broadcastTransaction: async (transaction) => {
      const answer = ledger.submit(bytesOf(transaction))
      // The conflicting transaction can be a copy of these same bytes, so no family reports a
      // refusal here.
      if (answer === "conflict" || answer === "expired")
        throw failure("uncertain", `chain.${answer}`)
    },
    observeTransaction: async (ours) => observeTransaction(options, ours),
    signTypedData: async (deposit) => {
      signatures.push(`gasless ${deposit.secretHash}`)
      return { digest: hashOf(deposit.secretHash), signature: `signature ${deposit.secretHash}` }
    },
    observeLeg: async (query) => observeLeg(options, query),
    proveUnfunded: async (query) => proveUnfunded(options, query),
    fetchAgreement: async () => ({ endpoints: 1, needed: 1, agreeing: 1, reasons: [] }),
    ...capabilitiesOf(options),
  }
}

function capabilitiesOf(options: FakeChainOptions): Capabilities {
  const { ledger, blockSlackMs } = options
  const scan = ledger.kind === "utxo" ? createBlockScan(ledger) : null
  return {
    ...(ledger.kind !== "slots" && {
      uses: { fetchUses: async (mark) => usesOf(ledger, mark), readUse: async () => null },
    }),
    ...(ledger.kind === "account" && {
      nonces: {
        bindPlan: async (plan, reserved) => bindPlan(options, plan, reserved),
        takeNonce: async (plan, of) => takeNonce(options, plan, of),
      },
    }),
    ...(familyOf(options) === "evm" && {
      pairs: {
        canPair: async () => options.pairs?.() === true,
        bindPair: async (plans, reserved) => bindPair(options, plans, reserved),
      },
    }),
    ...(ledger.kind !== "utxo" && {
      contracts: {
        fetchContractIdentity: async (htlc) => identityOfCode(options.codes?.get(htlc)),
        checkPayout: async () => [],
        fetchFeedPrice: () => null,
      },
    }),
    touched: {
      listTouchedLegs: async (since, waiting) =>
        scan === null
          ? listTouchedLegs(ledger, since, watchedSwaps(ledger, waiting))
          : scan(
              since,
              waiting.map(({ query }) => query),
            ),
    },
    ...(familyOf(options) === "solana" && {
      closing: {
        isClosed: async (query) => {
          const { initiated, redeemed, refunded } = observeLeg(options, query)
          return initiated === null || redeemed !== null || refunded !== null
        },
      },
    }),
    ...(blockSlackMs !== undefined && {
      blockTime: {
        fetchBlockTime: async () => ({ ms: ledger.blockMs(), slackMs: blockSlackMs }),
      },
    }),
  }
}

function watchedSwaps(ledger: FakeLedger, waiting: readonly WaitingLeg[]): WatchedSwap[] {
  return waiting.map(({ query: { secretHash, initiator }, isOpen }) => {
    return {
      key: swapKey(ledger, "", { secretHash, initiator: initiator ?? "" }),
      secretHash,
      isOpen,
    }
  })
}

function usesOf(ledger: FakeLedger, mark: string | null): AccountUses {
  const { nonce, outpoints, used } = ledger.state()
  if (ledger.kind === "account") return listUsedNonces(mark, BigInt(nonce))
  const known = mark === null || mark === "" ? [] : mark.split(" ")
  const spent = known.filter((outpoint) => !outpoints.has(outpoint))
  return {
    mark: [...outpoints.keys()].join(" "),
    used: spent.map((resource) => ({ resource, txid: used.get(resource) ?? null })),
  }
}

/** The identity of a contract on every fake chain that has contracts. */
export function identityOfCode(code = "the first code"): ContractIdentity {
  return { code: hashOf(code) }
}

/** The ledger transaction of a signed transaction. */
export function bytesOf({ txid, plan: { unsigned } }: SignedTransaction): LedgerTx {
  return { txid, ...readDraft(unsigned) }
}

export function accountOf(chain: ChainId): string {
  return `${chain}/wallet`
}

/**
 * The key of a swap on its chain. A Bitcoin address follows from all keys, so a payout never has
 * the address of a deposit with the same secret.
 */
export function swapKey(
  ledger: FakeLedger,
  chain: string,
  swap: { secretHash: string; initiator: string },
): string {
  if (ledger.kind !== "utxo") return contractKey(swap)
  const side = swap.initiator.endsWith("/wallet") ? "deposit" : "payout"
  return `${chain}/htlc-${side}-${swap.secretHash.slice(0, 12)}`
}

/** Every block asks for the same few keys, and a map hashes each text that is made anew. */
function contractKey({ secretHash, initiator }: { secretHash: string; initiator: string }): string {
  const known = contractKeys.get(initiator) ?? new Map<string, string>()
  const key = known.get(secretHash) ?? `${secretHash}/${initiator}`
  if (known.size >= MAX_HASHES) known.clear()
  known.set(secretHash, key)
  contractKeys.set(initiator, known)
  return key
}

const contractKeys = new Map<string, Map<string, string>>()

export function familyOf({ ledger, family }: { ledger: FakeLedger; family?: Family }): Family {
  return family ?? ({ account: "evm", utxo: "bitcoin", slots: "solana" } as const)[ledger.kind]
}

export function hashOf(text: string): string {
  const known = hashes.get(text)
  if (known !== undefined) return known
  const hash = createHash("sha256").update(text).digest("hex")
  if (hashes.size >= MAX_HASHES) hashes.clear()
  hashes.set(text, hash)
  return hash
}

/** Hash results, because every block hashes the same few texts. */
const hashes = new Map<string, string>()
const MAX_HASHES = 5_000

type Draft = Omit<LedgerTx, "txid">

async function plan(
  options: FakeChainOptions,
  intent: TransactionRequest,
  reserved: ReadonlySet<string>,
  how?: PlanOptions,
): Promise<TransactionPlan | { readonly refused: readonly Reason[] }> {
  const { ledger } = options
  if (intent.action === "void") {
    if (ledger.kind === "slots") throw failure("refused", "solana.void_unsupported")
    const { resources, fee: old } = readDraft(intent.voids.unsigned)
    const fee = intent.isUnsent === true ? offersOf(options).first("refund", null) : old * 2n + 1n
    return toPlan(
      options,
      "void",
      0,
      { resources, fee, action: { kind: "void", of: intent.voids.digest } },
      [],
    )
  }
  const draft = draftOf(options, intent)
  if ("refused" in draft) return draft
  const capUnits = capOf(intent.action === "redeem" ? intent.stake : null)
  return planDraft(options, { ...intent, draft, capUnits, spends: spendsOf(intent) }, reserved, how)
}

type Drafted = {
  readonly action: TransactionPlan["action"]
  readonly draft: Omit<Draft, "resources">
  readonly capUnits: bigint
  readonly spends: TransactionPlan["spends"]
}

/** The plan of a call, with the nonce or the outpoints that are free. */
export function planDraft(
  options: FakeChainOptions,
  { action, draft, capUnits, spends }: Drafted,
  reserved: ReadonlySet<string>,
  { isBoundLater = false }: PlanOptions = {},
): TransactionPlan | { readonly refused: readonly Reason[] } {
  const { ledger } = options
  if (draft.fee > capUnits)
    return { refused: [{ code: "fees.above_cap", message: "The network asks for too much" }] }
  // Until it is bound, such a plan may have any nonce: a used one shows an engine that signs it as
  // it is.
  const resources =
    isBoundLater && ledger.kind === "account" ? ["nonce:0"] : resourcesFor(ledger, draft, reserved)
  if (resources === null || isShort(ledger, draft))
    return { refused: [{ code: "funds.insufficient", message: "The wallet cannot pay that now" }] }
  const life =
    ledger.kind === "slots" ? { own: true, expiresAt: ledger.height() + LIFE_IN_BLOCKS } : {}
  return toPlan(options, action, 0, { ...draft, ...life, resources }, spends)
}

export function offersOf({ offers, fee, ...options }: FakeChainOptions): FakeOffers {
  return offers ?? createPlainOffers(familyOf(options), fee)
}

/** A cautious estimate never waits for a node that has none. */
function estimateOr(most: bigint, estimate: () => bigint): bigint {
  try {
    return estimate()
  } catch {
    return most
  }
}

function resourcesFor(
  ledger: FakeLedger,
  draft: Omit<Draft, "resources">,
  reserved: ReadonlySet<string>,
): string[] | null {
  const { action, fee } = draft
  const swap = action.kind === "initiate" ? action.swap : null
  switch (ledger.kind) {
    case "account":
      return [freeNonce(ledger, reserved)]
    case "slots":
      if (action.kind === "burn") return [accountResource(action.account ?? action.burn.dealKey)]
      return swap === null ? [] : [`swap:${swap.key}`]
    case "utxo":
      if (action.kind === "refund" || action.kind === "redeem") return [action.key]
      return pickOutpoints(ledger, reserved, (swap?.units ?? 0n) + fee)
  }
}

function isShort(ledger: FakeLedger, { action, fee }: Omit<Draft, "resources">): boolean {
  const { balances } = ledger.state()
  const needs = new Map([[ledger.native, fee]])
  const deposit =
    action.kind === "initiate" ? action.swap : action.kind === "burn" ? action.burn : null
  if (deposit !== null) needs.set(deposit.asset, (needs.get(deposit.asset) ?? 0n) + deposit.units)
  return [...needs].some(([asset, units]) => (balances.get(asset) ?? 0n) < units)
}

function draftOf(
  options: FakeChainOptions,
  intent: Exclude<TransactionRequest, { action: "void" }>,
): Omit<Draft, "resources"> | { readonly refused: readonly Reason[] } {
  const { chain, ledger } = options
  const stake = intent.action === "redeem" ? (intent.stake ?? intent.pace ?? null) : null
  const fee = offersOf(options).first(intent.action, stake)
  const { asset } = intent
  if (intent.action === "redeem") return draftRedeem(options, intent.payout, intent.secret, fee)
  if (intent.action === "approve") {
    return { fee, action: { kind: "approve", asset, spender: intent.spender, units: intent.units } }
  }
  const { secretHash, units, timelock, refundTo } = intent.deposit
  const key = swapKey(ledger, chain, { secretHash, initiator: refundTo })
  if (intent.action === "initiate") {
    const token = options.assets.find(({ id }) => id === asset)?.token != null
    const swap: SwapTerms = { key, asset, units, secretHash, timelock, token }
    const carried = familyOf(options) === "starknet" ? { approves: true } : {}
    return { fee, action: { kind: "initiate", swap, payer: "wallet", ...carried } }
  }
  const swap = ledger.state().swaps.get(key)
  if (
    !swap ||
    swap.redeemed ||
    swap.refunded ||
    ledger.height() < swap.initiated.height + swap.timelock
  ) {
    return { refused: [{ code: "refund.not_possible", message: "The HTLC allows no refund now" }] }
  }
  const overdue = ledger.height() - swap.initiated.height - swap.timelock
  return { fee: offersOf(options).first("refund", null, overdue), action: { kind: "refund", key } }
}

/**
 * As the contracts: it wants the preimage of the hash, and an open swap. The payee is the swap's
 * redeemer.
 */
function draftRedeem(
  { chain, ledger }: FakeChainOptions,
  { secretHash, initiator, htlc }: Payout,
  secret: string,
  fee: bigint,
): Omit<Draft, "resources"> | { readonly refused: readonly Reason[] } {
  const key =
    ledger.kind === "utxo" ? (htlc ?? "") : swapKey(ledger, chain, { secretHash, initiator })
  const swap = ledger.state().swaps.get(key)
  const opens = createHash("sha256").update(Buffer.from(secret, "hex")).digest("hex") === secretHash
  if (!swap || swap.redeemed || swap.refunded || !opens)
    return {
      refused: [{ code: "redeem.not_possible", message: "The HTLC allows no redemption now" }],
    }
  return { fee, action: { kind: "redeem", key, payTo: "wallet", shortUnits: 0n } }
}

function toPlan(
  { chain, ledger }: FakeChainOptions,
  action: TransactionPlan["action"],
  attempt: number,
  draft: Draft,
  spends: TransactionPlan["spends"],
): TransactionPlan {
  const unsigned = encodeJson(draft)
  return {
    chain,
    account: accountOf(chain),
    action,
    attempt,
    unsigned,
    digest: hashOf(unsigned),
    resources: draft.resources,
    spends,
    maxFeeUnits: draft.fee,
    fromHeight: ledger.height(),
    expiresAtHeight: draft.expiresAt ?? null,
  }
}

function spendsOf(intent: TransactionRequest): TransactionPlan["spends"] {
  return intent.action === "initiate" ? [{ asset: intent.asset, units: intent.deposit.units }] : []
}

/** `adjacent`: so many nonces from it on are free. */
function freeNonce(ledger: FakeLedger, reserved: ReadonlySet<string>, adjacent = 1): string {
  const pending = new Set(ledger.mempool().flatMap(({ resources }) => resources))
  const isFree = (nonce: number): boolean =>
    !reserved.has(`nonce:${nonce}`) && !pending.has(`nonce:${nonce}`)
  const wanted = Array.from({ length: adjacent }, (_, index) => index)
  for (let nonce = ledger.state().nonce; ; nonce++)
    if (wanted.every((index) => isFree(nonce + index))) return `nonce:${nonce}`
}

function pickOutpoints(
  ledger: FakeLedger,
  reserved: ReadonlySet<string>,
  needUnits: bigint,
): string[] | null {
  const pending = new Set(ledger.mempool().flatMap(({ resources }) => resources))
  const picked: string[] = []
  let sum = 0n
  for (const [outpoint, units] of ledger.state().outpoints) {
    if (reserved.has(outpoint) || pending.has(outpoint)) continue
    picked.push(outpoint)
    sum += units
    if (sum >= needUnits) return picked
  }
  return null
}

/** Both plans with adjacent nonces. */
function bindPair(
  options: FakeChainOptions,
  [first, second]: readonly [TransactionPlan, TransactionPlan],
  reserved: ReadonlySet<string>,
): readonly [TransactionPlan, TransactionPlan] {
  const resource = freeNonce(options.ledger, reserved, 2)
  const next = `nonce:${Number(resource.slice("nonce:".length)) + 1}`
  return [withNonce(options, first, resource), withNonce(options, second, next)]
}

/** The same call and fee on the nonce of another transaction, if it outbids that one. */
function takeNonce(
  options: FakeChainOptions,
  plan: TransactionPlan,
  of: TransactionPlan,
): TransactionPlan | null {
  const [nonce] = readDraft(of.unsigned).resources
  const outbids = readDraft(plan.unsigned).fee > readDraft(of.unsigned).fee
  return nonce === undefined || !outbids ? null : withNonce(options, plan, nonce)
}

/** The same plan with the next free nonce. */
function bindPlan(
  options: FakeChainOptions,
  plan: TransactionPlan,
  reserved: ReadonlySet<string>,
): TransactionPlan {
  if (readDraft(plan.unsigned).resources.length === 0) return plan
  return withNonce(options, plan, freeNonce(options.ledger, reserved))
}

function withNonce(
  options: FakeChainOptions,
  plan: TransactionPlan,
  resource: string,
): TransactionPlan {
  const draft = readDraft(plan.unsigned)
  if (draft.resources.includes(resource)) return plan
  const { action, attempt, spends, fromHeight } = plan
  return {
    ...toPlan(options, action, attempt, { ...draft, resources: [resource] }, spends),
    fromHeight,
  }
}

/** How deep a fact is, in the words of the port. */
export function depthsOf(
  { confirmations, seenDepth }: FakeChainOptions,
  depth: number,
): { seen: boolean; final: boolean } {
  return { seen: depth >= (seenDepth ?? confirmations), final: depth >= confirmations }
}

export function observeTransaction(
  options: FakeChainOptions,
  { txid, plan }: SignedTransaction,
): TransactionObservation {
  const { ledger, confirmations } = options
  const { txs, used } = ledger.state()
  const depth = (height: bigint): number => Number(ledger.height() - height) + 1
  const mined = txs.get(txid)
  if (mined && depth(mined.height) >= visibleFrom(ledger)) {
    const { ok, height, fee } = mined
    const deep = depth(height)
    return {
      status: "mined",
      ok,
      height,
      confirmations: deep,
      ...depthsOf(options, deep),
      feeUnits: fee,
    }
  }
  if (mined) return { status: "pending" }
  if (ledger.kind === "slots") {
    const settled = ledger.height() - BigInt(confirmations - 1)
    const expired = plan.expiresAtHeight !== null && settled > plan.expiresAtHeight
    return expired ? { status: "excluded", by: "expired", final: true } : { status: "unseen" }
  }
  if (ledger.mempool().some((tx) => tx.txid === txid)) return { status: "pending" }
  const by = plan.resources
    .map((resource) => used.get(resource))
    .find((other) => other !== undefined)
  if (by === undefined) return { status: "unseen" }
  const rival = txs.get(by)
  const isFinal = depth(rival?.height ?? ledger.height()) >= confirmations
  return { status: "excluded", by, final: isFinal, ...(rival?.isVoid ? { isVoid: true } : {}) }
}

function observeLeg(options: FakeChainOptions, query: LegQuery): LegObservation {
  const { ledger } = options
  const tip = ledger.height()
  // The newest block whose transactions show. Else a deposit of the newest slot would look as if it
  // was gone.
  const height = visibleHeight(ledger)
  const key =
    ledger.kind === "utxo"
      ? (query.htlc ?? "")
      : swapKey(ledger, "", { secretHash: query.secretHash, initiator: query.initiator ?? "" })
  const swap = ledger.state().swaps.get(key)
  if (!swap || (query.isExact && !hasTerms(swap, query)))
    return {
      height,
      agreed: true,
      initiated: null,
      redeemed: null,
      refunded: null,
      refundableAt: null,
    }
  const onChain = (tx: { txid: string; height: bigint }): OnChain => {
    const depth = Number(tip - tx.height) + 1
    const revealable = depth >= options.confirmations
    return {
      txid: tx.txid,
      height: tx.height,
      confirmations: depth,
      revealable,
      ...depthsOf(options, depth),
    }
  }
  const shown = <Part extends { height: bigint }>(part: Part | null): Part | null =>
    part !== null && height >= part.height ? part : null
  const { units, timelock } = swap
  const initiated = shown(swap.initiated)
  const redeemed = shown(swap.redeemed)
  const refunded = shown(swap.refunded)
  // On Bitcoin a refund, and a redemption of ours, pay their fee from the amount.
  const feeFrom = (txid: string): bigint =>
    ledger.kind === "utxo" ? (ledger.state().txs.get(txid)?.fee ?? 0n) : 0n
  return {
    height,
    agreed: true,
    initiated: initiated === null ? null : { ...onChain(initiated), units },
    redeemed:
      redeemed === null
        ? null
        : {
            ...onChain(redeemed),
            paidUnits: redeemed.paidUnits - feeFrom(redeemed.txid),
            secret: null,
          },
    refunded:
      refunded === null
        ? null
        : { ...onChain(refunded), paidUnits: units - feeFrom(refunded.txid) },
    refundableAt: initiated === null ? null : initiated.height + timelock,
  }
}

function hasTerms({ units, timelock, redeemer }: SwapTerms, query: LegQuery): boolean {
  return units === query.units && timelock === query.timelock && redeemer === undefined
}

/**
 * An order's deposits are its only way into the HTLC, beside a relay's, which leaves the same
 * trace.
 */
function proveUnfunded(options: FakeChainOptions, query: UnfundedQuery): UnfundedProof {
  return observeLeg(options, query).initiated === null
    ? proveUnsent(options, query)
    : { status: "funded" }
}

/** None of the signed deposits is in a block, and none can get into one. */
export function proveUnsent(options: FakeChainOptions, query: UnfundedQuery): UnfundedProof {
  const rivals: string[] = []
  for (const deposit of query.signed.filter(({ plan }) => plan.action === "initiate")) {
    const seen = observeTransaction(options, deposit)
    if (seen.status === "mined" && seen.ok) return { status: "funded" }
    if (seen.status === "unseen" || seen.status === "pending" || !seen.final) {
      const message = "The chain does not prove yet that the deposit can never land"
      return {
        status: "unsure",
        reasons: [{ code: "fake.unsettled", message, txid: deposit.txid }],
      }
    }
    if (seen.status === "excluded" && seen.by !== "expired") rivals.push(seen.by)
  }
  return { status: "unfunded", height: options.ledger.height(), rivals }
}

function decode(
  chain: ChainId,
  request: DepositRequest,
  order: ServiceOrder,
  asset: AssetId,
): DecodedDeposit {
  const base = {
    chain,
    asset,
    findings: [],
    refundTo: accountOf(chainOf(asset)),
    isRefundableByUs: true,
  }
  const { family } = request
  if (isBitcoinRequest(request)) {
    const { redeemer, timelock, secretHash } = order.source
    const { to: htlc, units } = request
    const kind = { htlcKind: "derivable-address", hasTypedData: false, extras: {} } as const
    return { ...base, ...kind, family, htlc, units, redeemer, timelock, secretHash }
  }
  const { typedData = null } = request
  // CAST: written by the fake service; `verifyDeposit` refuses a wrong field.
  const call = decodeJson(callOf(request)) as ContractCall
  const kind = {
    htlcKind: "contract",
    hasTypedData: typedData !== null,
    extras: { typedData },
  } as const
  return { ...base, ...kind, ...call, family, htlc: HTLC }
}

function callOf(request: DepositRequest): string {
  if (isSolanaRequest(request)) return request.transaction
  if (isEvmRequest(request)) return request.transaction.data
  return isStarknetRequest(request) ? (request.transaction.calldata[0] ?? "") : ""
}

function readDraft(unsigned: string): Draft {
  // CAST: written by `toPlan` above. Plans in journals of Ballast 0.1 say `claims` for the
  // resources.
  const { claims, ...draft } = decodeJson(unsigned) as Draft & {
    readonly claims?: Draft["resources"]
  }
  return claims === undefined ? draft : { ...draft, resources: claims }
}
