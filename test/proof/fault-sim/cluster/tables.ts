/**
 * The rows of the tables of `src/edges/cluster/schema.ts`. A row is replaced and never changed in
 * place.
 */
export type LeaseRow = { readonly epoch: number; readonly holder: string; readonly untilMs: number }
export type LogRow = {
  readonly treasury: string
  readonly seq: number
  readonly epoch: number
  readonly hash: string
  readonly changeset: Uint8Array
  /** The number of the commit that made it. */
  readonly version: number
}
export type SnapshotRow = {
  readonly seq: number
  readonly hash: string
  readonly schema: number
  readonly epoch: number
  readonly parts: number
}
export type MemberRow = {
  readonly holder: string
  readonly version: string
  readonly seq: number
  readonly seenMs: number
}

export type Tables = {
  /** The number of commits. */
  version: number
  readonly lease: Map<string, LeaseRow>
  /** By treasury and number. */
  readonly log: Map<string, LogRow>
  readonly snapshot: Map<string, SnapshotRow>
  /** By treasury, snapshot and number. */
  readonly parts: Map<string, Uint8Array>
  /** By treasury and holder. */
  readonly members: Map<string, MemberRow>
  /** The treasury of each wallet, by chain and account. */
  readonly wallets: Map<string, string>
}

export function emptyTables(): Tables {
  return {
    version: 0,
    lease: new Map(),
    log: new Map(),
    snapshot: new Map(),
    parts: new Map(),
    members: new Map(),
    wallets: new Map(),
  }
}

/** The entries of a treasury, oldest first. */
export function listLog(tables: Tables, treasury: string): readonly LogRow[] {
  return [...tables.log.values()]
    .filter((row) => row.treasury === treasury)
    .sort((a, b) => a.seq - b.seq)
}
