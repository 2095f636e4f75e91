import type { ChainId } from "#domain/asset.ts"
import type { TransactionRequest } from "#domain/transaction.ts"
import { mustExist } from "#lib/assert.ts"
import type { Clock } from "#lib/clock.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import { rankNow } from "#ports/urgency.ts"
import type { FakeLedger, SwapState } from "../../../support/fake-ledger.ts"
import type { FakeOrder } from "../../../support/fake-service.ts"
import { failure } from "../../../support/faults.ts"
import { withCapability, wrapCalls } from "../../../support/wrap-port.ts"
import { ASSETS } from "../simulated-assets.ts"
import type { Adversary } from "./adversary.ts"
import { familyOf } from "./fee-market.ts"
import { legName, type Side } from "./floods.ts"
import { countPayable, isPayable, redeemedHash, refuse, spendSecond } from "./obstacles.ts"

export type AttackDeps = {
  readonly adversary: Adversary
  readonly chain: ChainId
  readonly ledger: FakeLedger
  readonly clock: Pick<Clock, "now" | "sleep">
}

/**
 * The requests and the rounds of one call, as the modules make them: the ones after another wait
 * for each other.
 */
const LOAD: Readonly<Record<string, { readonly calls: number; readonly rounds: number }>> = {
  observeLeg: { calls: 9, rounds: 2 },
  planTransaction: { calls: 6, rounds: 2 },
  proveUnfunded: { calls: 9, rounds: 2 },
}
const USUAL_LOAD = { calls: 1, rounds: 1 }
/** Methods that ask no node. */
const LOCAL: ReadonlySet<string> = new Set([
  "isAddress",
  "sameAddress",
  "decodeDeposit",
  "checkDestination",
  "revealWait",
  "rebuildRequests",
  "signTransaction",
  "signTypedData",
  "canPair",
  "fetchAgreement",
  "capRedeemFee",
  "fetchLeastBalance",
])
/**
 * A module that makes bursts asks for each contract of its list, and not for the order's own alone.
 */
const BURST = 3
/** A refused call is repeated for so long. */
const PATIENCE_MS = 30_000
/** A receipt that the service names is read for so long. */
const HINT_MS = 1_000
const INITIATIONS_SEARCHED = 100_000
const PAYMENTS_PROVEN = 200
const DECIMALS = 8

/**
 * A port with reads that meet the adversary's floods and slow nodes, as the modules of
 * src/edges/chains do (`module-rules.ts`). One for each process.
 */
export function attackPort(port: ChainPort, deps: AttackDeps): ChainPort {
  const { adversary, chain } = deps
  const known = createKnowledge()
  const attacked: Partial<ChainPort> = {
    observeLeg: async (query) => {
      const leg = legName(chain, query.side, query.secretHash)
      try {
        const isHidden = await meetFlood(deps, known, query)
        const seen = await port.observeLeg(query)
        if (seen.initiated !== null && !isHidden) known.noted.add(seen.initiated.txid)
        adversary.noteRead(leg, true)
        return isHidden
          ? { ...seen, initiated: null, redeemed: null, refunded: null, refundableAt: null }
          : seen
      } catch (error) {
        adversary.noteRead(leg, false)
        throw error
      }
    },
    planTransaction: async (intent, ...how) => {
      requireCoin(deps, known, intent)
      return (
        refuseRedemption(deps, intent) ??
        spend(deps, intent, await port.planTransaction(intent, ...how))
      )
    },
    estimateRedeemFee: async (asset) =>
      adversary.market.nodesOf(chain) === "zero" ? 0n : port.estimateRedeemFee(asset),
    ...(familyOf(chain) !== "bitcoin" && {
      native: {
        fetchNativeBalance: () => fetchCoin(port, deps),
        fetchLeastBalance: async () => 0n,
      },
    }),
    proveUnfunded: async (query) => {
      const strangers = adversary.floods.countOn(legName(chain, query.side, query.secretHash))
      if (familyOf(chain) !== "bitcoin" || strangers < PAYMENTS_PROVEN)
        return port.proveUnfunded(query)
      const message = "The address has too many payments"
      return { status: "unsure", reasons: [{ code: "bitcoin.history_long", message }] }
    },
  }
  // Every simulated asset has eight decimals, coins too; otherwise a token's payout is worth any
  // fee in coins.
  const { nativeCoin } = port.traits
  const traits = { ...port.traits, nativeCoin: { ...nativeCoin, decimals: DECIMALS } }
  const whole = withCapability({ ...port, ...attacked, traits }, "contracts", {
    checkPayout: async (asset, _owner, payout) => {
      const isIt = ({ to, destinationUnits }: FakeOrder): boolean =>
        to === asset && destinationUnits === payout?.units
      return payout !== undefined && adversary.isFrozen(isIt) ? [FROZEN] : []
    },
  })
  return slowDown(
    adversary.signer === null ? whole : adversary.signer.watch(whole, deps.ledger),
    deps,
  )
}

const FROZEN = {
  code: "payout.frozen",
  message: "The issuer has frozen the payee",
  expected: "a payee who can receive",
  found: "a frozen one",
}

/** Why the network would revert this redemption now. */
function refuseRedemption(
  { adversary, chain, ledger }: AttackDeps,
  intent: TransactionRequest,
): ReturnType<typeof refuse> | null {
  if (intent.action !== "redeem") return null
  const { secretHash } = intent.payout
  if (adversary.isFrozen((order) => order.secretHash === secretHash))
    return refuse(FROZEN.code, FROZEN.message)
  const key = findSwap(ledger, { secretHash, side: "destination" })?.key ?? ""
  if (isPayable(ledger, adversary.redemptionsPaid(chain), key)) return null
  return refuse("funds.insufficient", "The wallet has too little coin for a redemption")
}

/** Bitcoin: which of two outputs the redemption spends. */
function spend(
  { adversary, chain }: AttackDeps,
  intent: TransactionRequest,
  plan: Awaited<ReturnType<ChainPort["planTransaction"]>>,
): typeof plan {
  const secretHash = redeemedHash(intent)
  const isSecond =
    familyOf(chain) === "bitcoin" && secretHash !== null && adversary.isPaidTwice(secretHash)
  return "refused" in plan || adversary.rules.spendsObserved || !isSecond ? plan : spendSecond(plan)
}

/**
 * The coin for redemptions, in their present fees, so that a count of them bounds it. It bounds no
 * higher fee of one of them.
 */
async function fetchCoin(
  port: ChainPort,
  { adversary, chain, ledger }: AttackDeps,
): Promise<bigint> {
  const { balances } = ledger.state()
  const left = countPayable(ledger, adversary.redemptionsPaid(chain))
  const [native] = ASSETS.filter(({ id }) => id === ledger.native)
  const fee = native === undefined || left === null ? null : await port.estimateRedeemFee(native.id)
  return fee === null || left === null ? (balances.get(ledger.native) ?? 0n) : fee * BigInt(left)
}

/** The knowledge of one process about a chain, beside its journal. */
type Knowledge = {
  /** Solana: how many entries of each history were listed. */
  readonly listed: Map<string, number>
  /** Bitcoin: the transactions with outputs that were observed. */
  readonly noted: Set<string>
  /** EVM: legs that were asked for with hints. */
  readonly hinted: Set<string>
}

function createKnowledge(): Knowledge {
  return { listed: new Map(), noted: new Set(), hinted: new Set() }
}

/** Throws where the flood ends the read; `true` where it hides the leg. */
async function meetFlood(deps: AttackDeps, known: Knowledge, query: LegQuery): Promise<boolean> {
  const { adversary, chain, ledger, clock } = deps
  const { rules, floods } = adversary
  const leg = legName(chain, query.side, query.secretHash)
  const strangers = floods.countOn(leg)
  if (strangers === 0) return false
  const swap = findSwap(ledger, query)
  switch (familyOf(chain)) {
    case "solana": {
      const isOpen = swap !== undefined && swap.redeemed === null && swap.refunded === null
      if (isOpen && rules.stateFirst) return false
      const before = rules.goesOn ? (known.listed.get(leg) ?? 0) : 0
      known.listed.set(leg, before + rules.entriesALook)
      if (before + rules.entriesALook < strangers)
        throw failure("transient", "solana.history_too_long")
      return false
    }
    case "bitcoin": {
      const isNamed = swap !== undefined && isKnownOutput(known, query.hints.initiateTx, swap)
      if (strangers <= rules.paymentsListed || (isNamed && rules.knowsOutput)) return false
      if (!rules.unlistedIsAbsent) throw failure("transient", "bitcoin.history_long")
      return true
    }
    case "evm": {
      if (!rules.hintsApart) throw failure("transient", "evm.unavailable")
      if (known.hinted.has(leg)) return false
      known.hinted.add(leg)
      await clock.sleep(HINT_MS)
      return false
    }
    default:
      if (swap === undefined && query.isExact !== true && strangers >= INITIATIONS_SEARCHED)
        throw failure("hold", "starknet.too_many_events")
      return false
  }
}

function findSwap(
  ledger: FakeLedger,
  { secretHash, side }: Pick<LegQuery, "secretHash" | "side">,
): SwapState | undefined {
  const payer = side === "source" ? "wallet" : "solver"
  // A second payment to the same address comes after the first one.
  return [...ledger.state().swaps.values()].find(
    (swap) => swap.secretHash === secretHash && swap.payer === payer,
  )
}

/**
 * The order keeps the transaction that an observation showed, and the process its output. The
 * service of an attacked order names nothing.
 */
function isKnownOutput(
  { noted }: Knowledge,
  hint: string | null,
  { initiated }: SwapState,
): boolean {
  return noted.has(initiated.txid) || hint?.includes(initiated.txid) === true
}

/** Bitcoin: a redemption and a refund spend an output that they must find. */
function requireCoin(
  { adversary, chain, ledger }: AttackDeps,
  known: Knowledge,
  intent: TransactionRequest,
): void {
  if (familyOf(chain) !== "bitcoin" || (intent.action !== "redeem" && intent.action !== "refund"))
    return
  const side: Side = intent.action === "redeem" ? "destination" : "source"
  const { secretHash } = intent.action === "redeem" ? intent.payout : intent.deposit
  const { rules, floods } = adversary
  const strangers = floods.countOn(legName(chain, side, secretHash))
  const swap = findSwap(ledger, { secretHash, side })
  if (swap === undefined || (rules.knowsOutput && isKnownOutput(known, null, swap))) return
  const most = rules.mostCoins ?? rules.paymentsListed
  if (strangers > most) throw failure("transient", "bitcoin.esplora_busy")
}

/** Every call waits for its requests: each has the node's latency, and its place in the limit. */
function slowDown(port: ChainPort, deps: AttackDeps): ChainPort {
  return wrapCalls(port, (method, call) =>
    LOCAL.has(method)
      ? call
      : async (...args) => {
          await waitForNode(method, deps)
          return call(...args)
        },
  )
}

async function waitForNode(method: string, { adversary, chain, clock }: AttackDeps): Promise<void> {
  const { latencyMs, callsASecond } = adversary.nodeOf(chain)
  const { calls, rounds } = LOAD[method] ?? USUAL_LOAD
  let waitMs = latencyMs * rounds
  if (callsASecond !== null) {
    const neededMs = (calls * 1_000) / callsASecond
    // The answers that came are lost with the refused ones, and the same burst follows.
    if (adversary.rules.repeatsBursts && calls * BURST > callsASecond)
      throw failure("transient", "rpc.busy")
    const nowMs = clock.now()
    const rank = rankNow()
    const freeMs = mustExist(adversary.freeMs.get(chain), "the limit of each chain")
    const startMs = Math.max(nowMs, freeMs[rank] ?? 0)
    if (startMs + neededMs - nowMs > PATIENCE_MS) throw failure("transient", "rpc.busy")
    // As in `src/edges/nodes/pace.ts`, a question waits for those that are as urgent, and holds up
    // the others.
    for (const [other, ms] of freeMs.entries())
      if (other >= rank) freeMs[other] = Math.max(nowMs, ms) + neededMs
    waitMs += startMs + neededMs - nowMs
  }
  if (waitMs >= 1) await clock.sleep(Math.floor(waitMs))
}
