import type { FakeLedger, LedgerState, LedgerTx } from "../support/fake-ledger.ts"

/** A node in front of a ledger that may fall behind: it goes on answering from the past, and passes on what it is given. */
export type LaggingLedger = {
  readonly view: FakeLedger
  readonly freeze: () => void
  readonly catchUp: () => void
}

export function createLaggingLedger(ledger: FakeLedger): LaggingLedger {
  let past: { state: LedgerState; height: bigint; mempool: readonly LedgerTx[] } | null = null
  return {
    view: {
      ...ledger,
      state: () => past?.state ?? ledger.state(),
      height: () => past?.height ?? ledger.height(),
      mempool: () => past?.mempool ?? ledger.mempool(),
    },
    freeze: () => {
      past = { state: structuredClone(ledger.state()), height: ledger.height(), mempool: [...ledger.mempool()] }
    },
    catchUp: () => {
      past = null
    },
  }
}
