import type { TransactionPlan, TransactionRequest } from "#domain/transaction.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import type { ChainPort } from "#ports/chain.ts"
import { hashOf } from "../../../support/fake-chain.ts"
import {
  type FakeLedger,
  isOurs,
  type LedgerTx,
  type SwapState,
} from "../../../support/fake-ledger.ts"
import type { FakeOrder } from "../../../support/fake-service.ts"
import { ASSETS } from "../simulated-assets.ts"

/*
 * What can keep a redemption from the payout, though every read succeeds: a payee whom the issuer
 * of a token has frozen, a wallet with coin for few redemptions, and a second payment to the HTLC.
 */

/** Of the payout's lock, in hundredths: the issuer lifts a freeze then. `null`: never. */
const LIFTED_AFTER = [47n, 80n, null] as const

/** The payee of an order is frozen between its quote and this part of the payout's lock. */
export function freezeOf({ to, secretHash }: FakeOrder): { readonly lifted: bigint | null } | null {
  const isToken = ASSETS.some(({ id, token }) => id === to && token !== null)
  const draw = drawOf("freeze", secretHash) % 4
  return isToken && draw < LIFTED_AFTER.length ? { lifted: LIFTED_AFTER[draw] ?? null } : null
}

/** Before the payout is in its HTLC the freeze holds. */
export function isFrozen(order: FakeOrder, payout: SwapState | undefined, height: bigint): boolean {
  const freeze = freezeOf(order)
  if (freeze === null || freeze.lifted === null) return freeze !== null
  if (payout === undefined) return true
  return (height - payout.initiated.height) * 100n < payout.timelock * freeze.lifted
}

/** The solver pays this order's Bitcoin address twice. */
export function isPaidTwice({ secretHash }: FakeOrder): boolean {
  return drawOf("twice", secretHash) % 3 === 0
}

/** The second output of an address, beside the one that the order names. */
export function secondKey(key: string): string {
  return `${key}+`
}

/** The same redemption, of the output that no observation showed: the mistake of a module. */
export function spendSecond(plan: TransactionPlan): TransactionPlan {
  // CAST: written by the fake chain.
  const draft = decodeJson(plan.unsigned) as LedgerTx
  if (draft.action.kind !== "redeem") return plan
  const key = secondKey(draft.action.key)
  const unsigned = encodeJson({ ...draft, resources: [key], action: { ...draft.action, key } })
  return { ...plan, unsigned, digest: hashOf(unsigned), resources: [key] }
}

/** How many more redemptions the wallet's coin pays for; `null` without such a bound. */
export function countPayable(ledger: FakeLedger, redemptions: number | null): number | null {
  if (redemptions === null) return null
  return Math.max(0, redemptions - countRedemptions(ledger))
}

export function countRedemptions(ledger: FakeLedger): number {
  const { txs } = ledger.state()
  const paid = ledger.heard().filter((tx) => isRedemption(tx) && txs.get(tx.txid)?.ok === true)
  return paid.length
}

/** Those that wait for a block keep their coin. */
export function isPayable(ledger: FakeLedger, redemptions: number | null, key: string): boolean {
  const left = countPayable(ledger, redemptions)
  const waiting = ledger.mempool().filter((tx) => isRedemption(tx) && !isOf(tx, key))
  return left === null || left > waiting.length
}

export function refuse(
  code: string,
  message: string,
): Awaited<ReturnType<ChainPort["planTransaction"]>> {
  return { refused: [{ code, message }] }
}

/** The hash of the secret that a redemption tells; `null` for anything else. */
export function redeemedHash(intent: TransactionRequest): string | null {
  return intent.action === "redeem" ? intent.payout.secretHash : null
}

function isRedemption(tx: LedgerTx): boolean {
  return isOurs(tx) && tx.action.kind === "redeem"
}

function isOf({ action }: LedgerTx, key: string): boolean {
  return action.kind === "redeem" && action.key === key
}

export function drawOf(what: string, secretHash: string): number {
  return Number.parseInt(hashOf(`${what} ${secretHash}`).slice(0, 4), 16)
}
