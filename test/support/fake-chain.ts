import { createHash } from "node:crypto"
import type { ChainPort, LegObservation, LegQuery, OnChain } from "#chains/port.ts"
import type { Asset, AssetId, ChainId } from "#domain/asset.ts"
import { chainOf } from "#domain/asset.ts"
import type { DecodedDeposit, DepositClaim } from "#domain/deposit.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import type { MoveIntent, MoveObservation, MovePlan, SignedMove } from "#domain/move.ts"
import type { Reason } from "#domain/reason.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import type { FakeLedger, LedgerTx, SwapTerms } from "./fake-ledger.ts"
import { failure } from "./faults.ts"

export type FakeChainOptions = {
  readonly chain: ChainId
  readonly ledger: FakeLedger
  readonly assets: readonly Asset[]
  readonly confirmations: number
  /** Signing twice what excludes nothing is what must never happen: every signature is written down here. */
  readonly signatures: string[]
}

const FEE = 10n
const MAX_ATTEMPT = 3

/** What the service hands out for a contract deposit: our decoder reads it back. */
export type ContractCall = { redeemer: string; timelock: bigint; units: bigint; secretHash: string }

/** A family as the engine sees one, over a fake ledger. Same plan, same bytes, same id. */
export function createFakeChain(options: FakeChainOptions): ChainPort {
  const { chain, ledger, confirmations, signatures } = options
  const account = accountOf(chain)
  const token = (asset: AssetId): boolean => options.assets.find(({ id }) => id === asset)?.token != null
  return {
    chain,
    family: ledger.kind === "account" ? "evm" : "bitcoin",
    account,
    sourceExtras: {},
    isAddress: (text) => text.startsWith(`${chain}/`),
    sameAddress: (a, b) => a === b,
    fetchHeight: async () => ledger.height(),
    fetchBalance: async (asset, reserved) => {
      const { balances, outpoints } = ledger.state()
      const units = balances.get(asset) ?? 0n
      if (ledger.kind === "account") return { units, spendableUnits: units }
      const free = [...outpoints].filter(([outpoint]) => !reserved.has(outpoint))
      return { units, spendableUnits: free.reduce((sum, [, value]) => sum + value, 0n) }
    },
    estimateFees: async () => ({ depositUnits: FEE, refundUnits: FEE }),
    decodeDeposit: (claim, order, asset) => decode(chain, claim, order, asset),
    findMissingApproval: async (asset, spender, units) =>
      (ledger.state().allowances.get(`${asset}/${spender}`) ?? 0n) === units ? null : { setUnits: units },
    planMove: async (intent, reserved) => plan(options, token, intent, reserved),
    planBump: async (old) => {
      const draft = readDraft(old.unsigned)
      if (old.attempt >= MAX_ATTEMPT) return null
      return toPlan(options, old.purpose, old.attempt + 1, { ...draft, fee: draft.fee * 2n }, old.spends)
    },
    signMove: async (planned) => {
      signatures.push(`${planned.purpose} ${planned.claims.join(" ")} ${planned.digest}`)
      const raw = `signed ${planned.unsigned}`
      return { plan: planned, raw, txid: hashOf(raw) }
    },
    broadcastMove: async (move) => {
      const tx: LedgerTx = { txid: move.txid, ...readDraft(move.plan.unsigned) }
      if (ledger.submit(tx) === "conflict") throw failure("refused", "chain.conflict")
    },
    observeMove: async (move) => observeMove(ledger, confirmations, move),
    signTypedData: async (deposit) => {
      signatures.push(`gasless ${deposit.secretHash}`)
      return { digest: hashOf(deposit.secretHash), signature: `signature ${deposit.secretHash}` }
    },
    observeLeg: async (query) => observeLeg(ledger, confirmations, query),
  }
}

export function accountOf(chain: ChainId): string {
  return `${chain}/wallet`
}

/** Where a swap lies on its chain. */
export function swapKey(ledger: FakeLedger, chain: string, swap: { secretHash: string; initiator: string }): string {
  return ledger.kind === "account"
    ? `${swap.secretHash}/${swap.initiator}`
    : `${chain}/htlc-${swap.secretHash.slice(0, 12)}`
}

export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}

type Draft = Omit<LedgerTx, "txid">

async function plan(
  options: FakeChainOptions,
  token: (asset: AssetId) => boolean,
  intent: MoveIntent,
  reserved: ReadonlySet<string>,
): Promise<MovePlan | { readonly refused: readonly Reason[] }> {
  const { ledger } = options
  if (intent.purpose === "void") {
    const { claims, fee } = readDraft(intent.voids.unsigned)
    return toPlan(options, "void", 0, { claims, fee: fee * 2n + 1n, action: { kind: "void" } }, [])
  }
  const draft = draftOf(options, token, intent)
  if ("refused" in draft) return draft
  const needUnits = draft.action.kind === "initiate" ? draft.action.swap.units : 0n
  const claims =
    ledger.kind === "account" ? [freeNonce(ledger, reserved)] : pickOutpoints(ledger, reserved, needUnits + FEE)
  if (claims === null) return { refused: [{ code: "funds.insufficient", message: "No free outpoints are left" }] }
  return toPlan(options, intent.purpose, 0, { ...draft, claims }, spendsOf(intent))
}

function draftOf(
  { chain, ledger }: FakeChainOptions,
  token: (asset: AssetId) => boolean,
  intent: Exclude<MoveIntent, { purpose: "void" }>,
): Omit<Draft, "claims"> | { readonly refused: readonly Reason[] } {
  const { asset } = intent
  if (intent.purpose === "approve") {
    return { fee: FEE, action: { kind: "approve", asset, spender: intent.spender, units: intent.units } }
  }
  const { secretHash, units, timelock, refundTo } = intent.deposit
  const key = swapKey(ledger, chain, { secretHash, initiator: refundTo })
  if (intent.purpose === "initiate") {
    const swap: SwapTerms = { key, asset, units, secretHash, timelock, token: token(asset) }
    return { fee: FEE, action: { kind: "initiate", swap, payer: "wallet" } }
  }
  const swap = ledger.state().swaps.get(key)
  if (!swap || swap.redeemed || swap.refunded || ledger.height() < swap.initiated.height + swap.timelock) {
    return { refused: [{ code: "refund.not_possible", message: "The HTLC allows no refund now" }] }
  }
  return { fee: FEE, action: { kind: "refund", key } }
}

function toPlan(
  { chain, ledger }: FakeChainOptions,
  purpose: MovePlan["purpose"],
  attempt: number,
  draft: Draft,
  spends: MovePlan["spends"],
): MovePlan {
  const unsigned = encodeJson(draft)
  return {
    chain,
    account: accountOf(chain),
    purpose,
    attempt,
    unsigned,
    digest: hashOf(unsigned),
    claims: draft.claims,
    spends,
    maxFeeUnits: draft.fee,
    fromHeight: ledger.height(),
    expiresAtHeight: null,
  }
}

function spendsOf(intent: MoveIntent): MovePlan["spends"] {
  return intent.purpose === "initiate" ? [{ asset: intent.asset, units: intent.deposit.units }] : []
}

function freeNonce(ledger: FakeLedger, reserved: ReadonlySet<string>): string {
  const pending = new Set(ledger.mempool().flatMap(({ claims }) => claims))
  for (let nonce = ledger.state().nonce; ; nonce++) {
    const claim = `nonce:${nonce}`
    if (!reserved.has(claim) && !pending.has(claim)) return claim
  }
}

function pickOutpoints(ledger: FakeLedger, reserved: ReadonlySet<string>, needUnits: bigint): string[] | null {
  const pending = new Set(ledger.mempool().flatMap(({ claims }) => claims))
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

function observeMove(ledger: FakeLedger, confirmations: number, { txid, plan }: SignedMove): MoveObservation {
  const { txs, used } = ledger.state()
  const depth = (height: bigint): number => Number(ledger.height() - height) + 1
  const mined = txs.get(txid)
  if (mined) {
    const { ok, height, fee } = mined
    const deep = depth(height)
    return { status: "mined", ok, height, confirmations: deep, final: deep >= confirmations, feeUnits: fee }
  }
  if (ledger.mempool().some((tx) => tx.txid === txid)) return { status: "pending" }
  const by = plan.claims.map((claim) => used.get(claim)).find((other) => other !== undefined)
  if (by === undefined) return { status: "unseen" }
  return { status: "excluded", by, final: depth(txs.get(by)?.height ?? ledger.height()) >= confirmations }
}

function observeLeg(ledger: FakeLedger, confirmations: number, query: LegQuery): LegObservation {
  const height = ledger.height()
  const key =
    ledger.kind === "utxo"
      ? (query.htlc ?? "")
      : swapKey(ledger, "", { secretHash: query.secretHash, initiator: query.initiator ?? "" })
  const swap = ledger.state().swaps.get(key)
  if (!swap) return { height, initiated: null, redeemed: null, refunded: null, refundableAt: null }
  const onChain = (tx: { txid: string; height: bigint }): OnChain => {
    const depth = Number(height - tx.height) + 1
    return { txid: tx.txid, height: tx.height, confirmations: depth, final: depth >= confirmations }
  }
  const { initiated, redeemed, refunded, units, timelock } = swap
  return {
    height,
    initiated: { ...onChain(initiated), units },
    redeemed: redeemed === null ? null : { ...onChain(redeemed), paidUnits: redeemed.paidUnits, secret: null },
    refunded: refunded === null ? null : { ...onChain(refunded), paidUnits: units },
    refundableAt: initiated.height + timelock,
  }
}

function decode(chain: ChainId, claim: DepositClaim, order: ServiceOrder, asset: AssetId): DecodedDeposit {
  const base = { chain, asset, findings: [], refundTo: accountOf(chainOf(asset)) }
  if (claim.family === "evm") {
    // CAST: written by the fake service; a wrong field is what the judge is there for.
    const call = decodeJson(claim.transaction.data) as ContractCall
    return { ...base, ...call, family: "evm", htlc: claim.transaction.to, extras: { typedData: claim.typedData } }
  }
  if (claim.family !== "bitcoin") throw failure("bug")
  const { redeemer, timelock, secretHash } = order.source
  const extras = { refundKeyOurs: true, derivable: true }
  return { ...base, family: "bitcoin", htlc: claim.to, units: claim.units, redeemer, timelock, secretHash, extras }
}

function readDraft(unsigned: string): Draft {
  // CAST: written by toPlan.
  return decodeJson(unsigned) as Draft
}
