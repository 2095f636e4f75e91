import type { OrderData } from "#order/data.ts"
import type { Work, WorkKind } from "#order/work.ts"
import type { Job } from "./observe/job.ts"
import type { WorkResult } from "./stepper.ts"

/**
 * Everything that the worker knows about one kind of work. The file of the performer exports the
 * entry; `work-table.ts` lists it.
 *
 * The functions are methods, so that an entry for one kind fits the type of an entry for any kind.
 * `entryOf` in `work-table.ts` passes only work of the entry's own kind.
 */
export type WorkEntry<K extends WorkKind = WorkKind> = {
  /**
   * Does the work and returns its result. Throws the errors that the performer does not answer
   * itself.
   */
  perform(job: Job, work: WorkOf<K>): Promise<WorkResult>
  /**
   * Work in one lane runs one piece after another, from its reads to the commit: `account` for
   * planning on one chain's account (nonces, outpoints), `null` for work that needs no lane. A plan
   * that gets its nonce later needs none either, nor what takes its HTLC alone (`choose-work.ts`).
   */
  readonly lane: "account" | null
  /**
   * Whether the work signs, or sends a signature or transaction: a pause answers only after such
   * work has ended.
   */
  readonly spends: boolean
  /**
   * Whether the work waits for the end of a pause. Work that leads to a new deposit waits;
   * observing and refunds go on.
   */
  whilePaused(work: WorkOf<K>, progress: Progress): "runs" | "waits"
  /** The event that a `refused` or `fatal` error becomes. */
  onRefused(work: WorkOf<K>): "order.declined" | "order.held" | "work.deferred"
  /**
   * Why a second run is harmless when the process dies between the work and its commit. One
   * sentence, for docs/ARCHITECTURE.md.
   */
  readonly repeat: string
}

type Progress = {
  readonly data: OrderData
  /** No earlier run of this piece of work has begun. */
  readonly isFirstTry: boolean
}

/** The members of `Work` that have kind `K`. */
type WorkOf<K extends WorkKind, W extends Work = Work> = W extends unknown
  ? K extends W["kind"]
    ? W
    : never
  : never

export function runsWhilePaused(): "runs" {
  return "runs"
}

export function waitsWhilePaused(): "waits" {
  return "waits"
}

export function declinesWhenRefused(): "order.declined" {
  return "order.declined"
}
