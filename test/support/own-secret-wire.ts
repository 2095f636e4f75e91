import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { expect } from "vitest"
import { mustExist } from "#lib/assert.ts"
import type { StoredOrder } from "#sandbox/service/stored-order.ts"
import type { Fault } from "../../src/lab/sandbox/service/faults.ts"
import { setFaults } from "./e2e-faults.ts"
import { type Exchange, mentions } from "./network-recorder.ts"
import { listStored, secretOf } from "./own-secret-orders.ts"
import type { SandboxProcess } from "./sandbox-process.ts"

/*
 * The order of the wire for orders with our own secret: first a block with the payout, shown by a
 * node of its chain, then the secret. A solver that pays as soon as it sees the deposit hides a
 * daemon that tells the secret too early, so here the solver waits: it pays after the daemon has
 * observed the funded deposit without a payout.
 */

/** The solver does not pay until `letSolverPay`. */
export function keepSolverWaiting(
  sandbox: SandboxProcess,
  ...faults: readonly Fault[]
): Promise<void> {
  return setFaults(sandbox, { solverSilent: true }, ...faults)
}

export function letSolverPay(sandbox: SandboxProcess, ...faults: readonly Fault[]): Promise<void> {
  return setFaults(sandbox, ...faults)
}

/**
 * Whether the journal holds an observation of the funded deposit without a payout. Works while the
 * daemon is dead, too.
 */
export function hasSeenNoPayout({ file }: { readonly file: string }, orderId: string): boolean {
  const journal = new DatabaseSync(join(file.replace(/\.yaml$/, ""), "journal.db"), {
    readOnly: true,
    timeout: 2_000,
  })
  try {
    const sql =
      "select 1 from events where order_id = ? and type = 'order.observed' and state = 'funded'"
    return journal.prepare(sql).get(orderId) !== undefined
  } finally {
    journal.close()
  }
}

/**
 * None of these requests has told the secret of an order before its payout was sent. They must be
 * older than this call.
 */
export async function expectNoEarlyTelling(
  exchanges: readonly Exchange[],
  sandbox: SandboxProcess,
): Promise<void> {
  const unpaid = (await listStored(sandbox)).filter(
    ({ destination }) => destination.seen.initiated === null,
  )
  for (const stored of unpaid)
    expect(
      findTelling(exchanges, stored),
      "the secret left before the solver sent the payout",
    ).toBe(-1)
}

/**
 * A node of the destination chain had shown the payout's transaction in a block before the first
 * request with the secret left.
 */
export function expectToldAfterPayout(
  exchanges: readonly Exchange[],
  { chains }: Pick<SandboxProcess, "chains">,
  stored: StoredOrder,
): void {
  const { swap, seen } = stored.destination
  const { tx, block } = mustExist(seen.initiated, "the payout's funding")
  const { url } = mustExist(
    chains.find(({ name }) => name === swap.chain),
    "the payout's chain",
  )
  // On Bitcoin the service adds the height.
  const [txid = ""] = tx.split(":")
  const height = new RegExp(`\\b(${block}|0x0*${BigInt(block).toString(16)})\\b`)
  const shownAt = exchanges.findIndex(
    ({ target, answer }) =>
      target === url && answer !== null && answer.includes(txid) && height.test(answer),
  )
  const toldAt = findTelling(exchanges, stored)
  expect(toldAt).toBeGreaterThan(-1)
  expect(shownAt, "no node has shown the payout").toBeGreaterThan(-1)
  expect(shownAt, "the secret left before a node had shown the payout in a block").toBeLessThan(
    toldAt,
  )
}

/** The place of the first request with the order's secret; -1 for none. */
export function findTelling(
  exchanges: readonly Exchange[],
  stored: Pick<StoredOrder, "nonce">,
): number {
  const secret = secretOf(stored)
  return exchanges.findIndex(({ request }) => mentions(request, secret))
}
