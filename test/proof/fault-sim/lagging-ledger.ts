import type { Branch, FakeLedger } from "../../support/fake-ledger.ts"

/**
 * A node in front of a ledger. While frozen, it answers from an old branch but still passes
 * transactions on.
 */
export type LaggingLedger = {
  readonly ledger: FakeLedger
  /** The branch that the node knows. */
  readonly branch: () => Branch
  readonly freeze: () => void
  readonly catchUp: () => void
}

export function createLaggingLedger(ledger: FakeLedger): LaggingLedger {
  let past: Branch | null = null
  return {
    ledger,
    branch: () => past ?? ledger.branch(),
    freeze: () => {
      const { blocks, states, ids, times, waiting } = ledger.branch()
      past = {
        blocks: [...blocks],
        states: [...states],
        ids: [...ids],
        times: [...times],
        waiting: [...waiting],
      }
    },
    catchUp: () => {
      past = null
    },
  }
}
