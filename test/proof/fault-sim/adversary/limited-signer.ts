import type { AssetId, ChainId } from "#domain/asset.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { ImportMark, RedeemHeadroom } from "#domain/key-use.ts"
import { URGENT_FEE_FACTOR } from "#domain/redeem-fee-cap.ts"
import type { SignedTransaction, TransactionPlan } from "#domain/transaction.ts"
import type { KeyRecord } from "#engine/context.ts"
import { decodeJson } from "#lib/json.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { SigningScope } from "#ports/key-holder.ts"
import { chargeOf, isRescue, judgeSignature, type SignerLimits } from "#signer/judge-signature.ts"
import type { LoggedSignature } from "#signer/signature-log.ts"
import { MAX_FEE } from "../../../support/fake-fees.ts"
import type { FakeLedger, LedgerTx } from "../../../support/fake-ledger.ts"
import { failure } from "../../../support/faults.ts"
import { ASSETS } from "../simulated-assets.ts"

/*
 * A signer with limits of its own, which outlives the daemon. It judges with the real
 * `judgeSignature`, and its record is in memory.
 */
export type LimitedSigner = {
  readonly watch: (port: ChainPort, ledger: FakeLedger) => ChainPort
  readonly keyRecord: KeyRecord
  /**
   * Other deposits of the treasury have used up the day's limit for the chain's coin. It is free
   * again after `USED_MS`: later than a lock ends, and before the run does.
   */
  readonly useUp: (chain: ChainId) => void
}

type Deps = {
  readonly now: () => number
  readonly coinOf: (chain: string) => AssetId
  /** Deposits use up the limits of redemptions; the signer is not asked before the telling. */
  readonly isShared: boolean
}

/** More than the orders of one run, so that only `useUp` reaches it. */
const PER_DAY = 2_000_000n

export function createLimitedSigner({ now, coinOf, isShared }: Deps): LimitedSigner {
  const record: LoggedSignature[] = []
  const byAsset = ASSETS.map(
    ({ id }) => [id, { perSignature: null, perHour: null, perDay: PER_DAY }] as const,
  )
  const limits: SignerLimits = { byAsset: new Map(byAsset), signaturesPerHour: 100_000 }
  let mark: ImportMark | null = null

  function admit(
    scope: SigningScope,
    order: string,
    expected: readonly LoggedSignature[] | null,
  ): void {
    if (record.some(({ chain, digest }) => chain === scope.chain && digest === scope.digest)) return
    const timelocks = { min: 0n, max: 1_000_000n }
    const question = { scope, order, coin: coinOf(scope.chain), timelocks, nowMs: now() }
    const ofDay = record.filter(({ atMs }) => atMs > question.nowMs - DAY_MS)
    const of = (secretHash: string) => record.filter((past) => past.secretHash === secretHash)
    const history = {
      // The checkers judge second deposits by themselves.
      deposits: [],
      sameResources: [],
      hasRefund: () => false,
      hasDeposit: (secretHash: string) => of(secretHash).length > 0,
      ofDay: [...ofDay, ...(expected ?? [])],
    }
    const judged = isShared
      ? { ...question, scope: { ...scope, action: "initiate" as const } }
      : question
    const [reason] = judgeSignature(judged, history, limits).reasons
    if (reason !== undefined) throw failure(isRescue(scope) ? "transient" : "refused", reason.code)
    if (expected !== null) return
    const { chain, account, action, digest, resources, deposit } = scope
    const at = { atMs: question.nowMs, order, chain, account, action, digest, resources }
    record.push({ ...at, secretHash: deposit?.secretHash ?? null, ...chargeOf(question) })
  }

  /**
   * As the signer's `expect`: the redemptions of other told secrets, which need the same limits.
   */
  function askHeadroom({ order, chain, secretHash, feeUnits, others }: RedeemHeadroom): null {
    if (isShared) return null
    const coin = coinOf(chain)
    const { id: digest, resources } = { id: `headroom:${order}`, resources: [`headroom:${order}`] }
    const whole = { spends: [], allowance: null, deposit: null, isExclusive: true }
    const scope = { chain, account: chain, action: "redeem" as const, digest, resources, feeUnits }
    const expected = Array.from({ length: others }, (_, index): LoggedSignature => {
      const one = {
        atMs: now(),
        order,
        chain,
        account: chain,
        action: "redeem" as const,
        resources: [],
      }
      const group = `expected:${index}`
      return {
        ...one,
        digest: group,
        group,
        secretHash: null,
        charges: new Map([[coin, feeUnits]]),
      }
    })
    admit({ ...scope, ...whole, redeemsHash: secretHash }, order, expected)
    return null
  }

  function useUp(chain: ChainId): void {
    const name = `other deposits ${record.length}`
    const one = {
      atMs: now() - DAY_MS + USED_MS,
      order: name,
      chain,
      account: chain,
      action: "initiate" as const,
      resources: [],
    }
    const charges = new Map([[coinOf(chain), PER_DAY]])
    record.push({ ...one, digest: name, group: name, secretHash: null, charges })
  }

  return {
    useUp,
    watch: (port, ledger) => ({
      ...port,
      signTransaction: async (plan, context): Promise<SignedTransaction> => {
        admit(scopeOf(plan, ledger), context?.order ?? plan.digest, null)
        return port.signTransaction(plan, context)
      },
      signTypedData: async (deposit, context) => {
        const scope = gaslessScope(deposit, port.account)
        admit(scope, context?.order ?? scope.digest, null)
        return port.signTypedData(deposit, context)
      },
    }),
    keyRecord: {
      listUses: async () => ({ first: null, uses: [] }),
      importUses: async (uses) => {
        const last = uses.at(-1)
        if (last !== undefined) mark = { seq: last.seq, digest: last.digest }
        return mark
      },
      askHeadroom: async (redemption) => askHeadroom(redemption),
    },
  }
}

const DAY_MS = 24 * 3_600_000
const USED_MS = 2 * 3_600_000

function gaslessScope(deposit: VerifiedDeposit, account: string): SigningScope {
  const { chain, asset, units, secretHash, timelock } = deposit
  const name = `gasless ${secretHash}`
  return {
    chain,
    account,
    action: "gasless",
    digest: name,
    resources: [name],
    spends: asset === null ? [] : [{ asset, units }],
    feeUnits: 0n,
    allowance: null,
    isExclusive: true,
    deposit: { secretHash, timelock },
  }
}

function scopeOf(plan: TransactionPlan, ledger: FakeLedger): SigningScope {
  const { chain, account, action, digest, resources, spends, maxFeeUnits: feeUnits } = plan
  // CAST: written by the fake chain.
  const draft = decodeJson(plan.unsigned) as LedgerTx
  const swap = draft.action.kind === "initiate" ? draft.action.swap : null
  const key = draft.action.kind === "redeem" ? draft.action.key : null
  const redeems = key === null ? undefined : ledger.state().swaps.get(key)?.secretHash
  const isDear = feeUnits > MAX_FEE * URGENT_FEE_FACTOR
  return {
    chain,
    account,
    action,
    digest,
    resources,
    spends,
    feeUnits,
    allowance: null,
    isExclusive: resources.length > 0,
    deposit: swap === null ? null : { secretHash: swap.secretHash, timelock: swap.timelock },
    ...(redeems === undefined ? {} : { redeemsHash: redeems }),
    ...(redeems === undefined || !isDear ? {} : { dearRedemptionOf: redeems }),
  }
}
