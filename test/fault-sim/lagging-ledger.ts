import type { FakeLedger, LedgerState, LedgerTx } from "../support/fake-ledger.ts"

/** A node in front of a ledger. While frozen, it answers from an old state but still passes transactions on. */
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
