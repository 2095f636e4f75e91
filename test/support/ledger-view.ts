import type { Branch, FakeLedger, LedgerState, LedgerTx } from "./fake-ledger.ts"

/**
 * One block of a branch as a node shows it: the state after it, and the transactions that wait for
 * a later block.
 */
export type BlockView = {
  readonly height: bigint
  /** Tells blocks of the same height apart. */
  readonly block: string
  readonly state: LedgerState
  readonly timeMs: number
  readonly mempool: readonly LedgerTx[]
}

/** `null`: the branch has no such block. */
export function viewBlock(
  { blocks, states, ids, times, waiting }: Branch,
  height: bigint,
): BlockView | null {
  const index = Number(height)
  const state = states[index]
  const id = ids[index]
  const timeMs = times[index]
  if (state === undefined || id === undefined || timeMs === undefined) return null
  // A node that does not have the later blocks still has their transactions in its mempool.
  return {
    height,
    block: `${height}/${id}`,
    state,
    timeMs,
    mempool: [...blocks.slice(index + 1).flat(), ...waiting],
  }
}

/**
 * The ledger as a node at `view` shows it. The node passes new transactions on to the true ledger.
 */
export function ledgerAt(ledger: FakeLedger, view: BlockView): FakeLedger {
  const { state, height, timeMs, mempool } = view
  return {
    ...ledger,
    state: () => state,
    height: () => height,
    blockMs: () => timeMs,
    mempool: () => mempool,
  }
}
