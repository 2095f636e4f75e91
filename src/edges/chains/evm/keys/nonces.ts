import type { TransactionPlan } from "#domain/transaction.ts"
import { agreedHead } from "#nodes/quorum/agree-on.ts"
import { replaceFees } from "../fees.ts"
import { readAgreed, readAnyway } from "../nodes/agree.ts"
import type { At } from "../rpc.ts"
import { toPlan } from "../spend/plan.ts"
import { parseUnsigned } from "../spend/unsigned.ts"
import type { Wallet } from "../wallet.ts"

/**
 * Binds an unsigned plan to the account's next free nonce. A void and a fee bump keep theirs,
 * because they must exclude an earlier signature.
 *
 * The next nonce is the agreed count of the newest agreed block. It skips nonces that other
 * transactions hold (`reserved`), and those of pending transactions that enough endpoints know. It
 * never leaves a gap: every skipped nonce belongs to a transaction that exists.
 */
export async function bindEvmPlan(
  wallet: Wallet,
  plan: TransactionPlan,
  reserved: ReadonlySet<string>,
): Promise<TransactionPlan> {
  if (plan.action === "void" || plan.attempt > 0) return plan
  const tx = parseUnsigned(plan.unsigned)
  const nonce = await findNonce(wallet, plan.action, reserved)
  return nonce === tx.nonce ? plan : toPlan(wallet, plan, { ...tx, nonce })
}

/** The same call and fees on the nonce of `of`, if they outbid it; see `NonceSequence`. */
export function takeEvmNonce(
  wallet: Wallet,
  plan: TransactionPlan,
  of: TransactionPlan,
): TransactionPlan | null {
  const own = parseUnsigned(plan.unsigned)
  const other = parseUnsigned(of.unsigned)
  const fees = replaceFees(own, other)
  return fees === null
    ? null
    : toPlan(wallet, { ...plan, attempt: 0 }, { ...own, ...fees, nonce: other.nonce })
}

/**
 * Throws `evm.disagreement`, and for a deposit `evm.agreement_short` (transient). Refunds and
 * revocations go on with one living endpoint.
 */
export async function findNonce(
  wallet: Pick<Wallet, "account" | "payee" | "rpc">,
  action: TransactionPlan["action"],
  reserved: ReadonlySet<string>,
  adjacent = 1,
): Promise<number> {
  const { account: address, rpc } = wallet
  const ask = ({ client, height: blockNumber }: At): Promise<number> =>
    client.getTransactionCount({ address, blockNumber })
  const read = action === "initiate" ? readAgreed<number> : readAnyway<number>
  // A watchtower replaces what it sent before a restart: a new nonce would wait behind a
  // transaction with too low a fee.
  if (wallet.payee !== address)
    return firstFree({ count: await read(rpc, ask, { newest: true }), pending: 0, reserved })
  const [count, pending] = await Promise.all([
    read(rpc, ask, { newest: true }),
    readPending(wallet),
  ])
  return firstFree({ count, pending, reserved, adjacent })
}

/**
 * The lowest nonce from `count` on that neither a reservation nor a pending transaction uses.
 * `adjacent`: so many nonces from it on are free. A single free nonce before them belongs to an
 * order that ended without sending, and the gap filler uses it up. Pure.
 */
export function firstFree(known: {
  count: number
  pending: number
  reserved: ReadonlySet<string>
  adjacent?: number
}): number {
  const isFree = (nonce: number): boolean =>
    nonce >= known.pending && !known.reserved.has(`nonce:${nonce}`)
  const wanted = Array.from({ length: known.adjacent ?? 1 }, (_, index) => index)
  let nonce = known.count
  while (!wanted.every((index) => isFree(nonce + index))) nonce += 1
  return nonce
}

/**
 * The count with pending transactions that enough endpoints know; 0 where too few tell one. One
 * lying mempool cannot make a gap.
 */
async function readPending({
  account: address,
  rpc,
}: Pick<Wallet, "account" | "rpc">): Promise<number> {
  const answers = await rpc.askEach((client) =>
    client.getTransactionCount({ address, blockTag: "pending" }),
  )
  const counts = answers.flatMap((answer) => (answer.ok ? [BigInt(answer.value)] : []))
  return Number(agreedHead(counts, rpc.needed) ?? 0n)
}
