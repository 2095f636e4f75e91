import type { AppError } from "#lib/app-error.ts"

/** What is on disk, and in the log of the cluster if there is one. */
export interface Durability {
  /**
   * Resolves when every write so far is on disk, and in the log of the cluster if there is one.
   * Throws `journal.write_failed` (transient) when the disk refused them: then they did not happen.
   */
  durable(): Promise<void>
  /** Some writes are not durable yet. */
  isPending(): boolean
  /** As `durable`, for this machine's disk alone. Without a cluster both are the same. */
  durableHere(): Promise<void>
  /** Some writes are not on this machine's disk yet. */
  isPendingHere(): boolean
  /** How many groups of writes the disk has refused since the journal was opened. */
  countRefused(): number
  /** The refusal, while no later group was written; `null` while the disk takes them. */
  lastRefusal(): AppError | null
  /**
   * Whether every decision about the secret of this order, or about this secret hash, is durable;
   * `null` without a decision.
   */
  areDecisionsDurable(orderOrHash: string): boolean | null
  /**
   * Writes down which groups the log has, so that the next start recognises a log that lacks one of
   * them. Each group takes the acknowledgements before it along; this is for the last one. Does
   * nothing without a log.
   */
  noteAcknowledged(): void
  /**
   * Whether the journal has so many bytes of space in its own files, beside that of its log: then
   * it writes on for so long while the disk is full. Asks the disk for more where they are missing,
   * after it has written everything so far.
   */
  keepSpace(bytes: number): boolean
  /**
   * Whether the paths of the journal's files still lead to the open ones. Where they do not, each
   * further write ends with this process.
   */
  findPlace(): "in_place" | "deleted" | "replaced"
  /**
   * Writes a complete copy to `file`, over an earlier one, beside the event loop. It works where
   * the journal's own files are deleted. Throws `system.*` (transient), or the error of SQLite.
   */
  saveTo(file: string): Promise<void>
  /** Writes everything to disk first. */
  close(): void
}

/**
 * The number of groups that a journal has taken from its log, and the hash of all of them in order.
 */
export type ReplicaPosition = { readonly seq: number; readonly hash: string }

/** The changes of one group, as the log stores them. `hash` covers this group and all before it. */
export type LoggedGroup = ReplicaPosition & { readonly changeset: Uint8Array }
