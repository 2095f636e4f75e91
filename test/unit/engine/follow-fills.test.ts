import { expect, test } from "vitest"
import type { LedgerEntry } from "#domain/ledger.ts"
import type { TransactionObservation, TransactionPlan } from "#domain/transaction.ts"
import { followFills } from "#engine/orders/pay/follow-fills.ts"
import { AppError } from "#lib/app-error.ts"
import { silentLogger } from "#lib/log.ts"
import { never } from "../../support/faults.ts"
import { SAMPLE, samplePlan } from "../../support/order-sample.ts"

const MINED = {
  status: "mined",
  ok: true,
  height: 7n,
  confirmations: 9,
  seen: true,
  final: true,
  feeUnits: 42n,
} as const satisfies TransactionObservation
const UNREAD = new AppError({ code: "evm.rival_unnamed", disposition: "transient", message: "" })
const EXCLUDED = { status: "excluded", by: "another", final: true } as const
const PLAN: TransactionPlan = { ...samplePlan("void", 0), action: "void" }

type Row = {
  readonly shown: TransactionObservation | AppError
  readonly action?: TransactionPlan["action"]
  readonly isBooked?: boolean
  readonly row?: object
  readonly outcome?: "rejected" | null
}

/** What happens to one unsettled signature: booked, reversed or settled, in words. */
async function follow({ shown, action = "void", isBooked = false, row = {}, outcome = null }: Row) {
  const done: string[] = []
  const signature = {
    orderId: "order-1",
    purpose: "fill/7",
    plan: { ...PLAN, action },
    txid: "t",
    raw: "r",
    ...row,
  }
  type Booking = { readonly reversedKeys: readonly string[]; readonly add: readonly LedgerEntry[] }
  const journal = {
    listUnsettled: () =>
      shown instanceof AppError ? [signature, { ...signature, txid: "read" }] : [signature],
    findOrder: () => ({ outcome }),
    listEntries: () => (isBooked ? [{ id: 1, reverses: null }] : []),
    book: ({ reversedKeys, add }: Booking) => {
      for (const key of reversedKeys) done.push(`reverses ${key}`)
      for (const { postings, note } of add)
        done.push(`${postings.map(({ account }) => account).join(" ")}: ${note}`)
    },
    settleSignatures: (orderId: string, purpose: string) =>
      done.push(`settles ${orderId} ${purpose}`),
  }
  const port = {
    traits: { nativeCoin: null },
    chain: SAMPLE.deposit.chain,
    account: "wallet",
    observeTransaction: async ({ txid }: { txid: string }) => {
      if (txid === "read") return MINED
      if (shown instanceof AppError) throw shown
      return shown
    },
  }
  // CAST: the parts of the context that a booking reads.
  const context = {
    journal,
    clock: { now: () => 5, sleep: never },
    prices: { fetchPrice: async () => null },
    settings: { assets: new Map() },
    log: silentLogger,
    chains: new Map([[port.chain, port]]),
  } as never
  // CAST: the parts of the port that are read.
  await followFills(context, port as never)
  return done
}

test.each<readonly [string, Row, RegExp[]]>([
  ["behind one that cannot be read", { shown: UNREAD }, [/gap in/, /^settles/]],
  ["in a final block is booked and settled", { shown: MINED }, [/gap in/, /^settles/]],
  ["in a shallow block is booked", { shown: { ...MINED, final: false } }, [/gap in/]],
  ["that redeems", { shown: MINED, action: "redeem" }, [/redeem.*nonce of another/, /^settles/]],
  ["that refunds", { shown: MINED, action: "refund" }, [/refund.*nonce of another/, /^settles/]],
  ["that deposits", { shown: MINED, action: "initiate" }, [/void.*gap in/, /^settles/]],
  ["that is booked is settled", { shown: MINED, isBooked: true }, [/^settles/]],
  ["that waits", { shown: { status: "pending" } }, []],
  ["that a reorganisation took", { shown: { status: "pending" }, isBooked: true }, [/^reverses/]],
  ["with a final rival", { shown: EXCLUDED }, [/^settles/]],
  ["with a rival that may go", { shown: { ...EXCLUDED, final: false } }, []],
  [
    "whose rival is final, and was booked",
    { shown: EXCLUDED, isBooked: true },
    [/^reverses/, /^settles/],
  ],
  [
    "of an order that is over, which mints,",
    { shown: MINED, action: "redeem", row: { purpose: "redeem" }, outcome: "rejected" },
    [/redeem: landed after the end/, /^settles order-1 redeem/],
  ],
  [
    "of an order that is over, which refunds,",
    { shown: MINED, action: "refund", row: { purpose: "refund" }, outcome: "rejected" },
    [/refund: landed after the end/, /^settles order-1 refund/],
  ],
  ["of an open order that mints is none", { shown: MINED, row: { purpose: "redeem" } }, []],
  [
    "of no order that deposits is one",
    { shown: MINED, row: { purpose: "deposit" }, outcome: "rejected" },
    [],
  ],
  ["of an order is none", { shown: MINED, row: { purpose: "void" } }, []],
  ["without a plan", { shown: MINED, row: { plan: null } }, []],
  ["without an id", { shown: MINED, row: { txid: null } }, []],
  ["without bytes", { shown: MINED, row: { raw: null } }, []],
])("a fill %s", async (_what, row, expected) => {
  const done = await follow(row)
  expect(done).toHaveLength(expected.length)
  for (const [at, pattern] of expected.entries()) expect(done[at]).toMatch(pattern)
})
