import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { ImportMark } from "#domain/key-use.ts"
import { AppError } from "#lib/app-error.ts"
import { createDatabaseSpace } from "#lib/database-space.ts"
import { findEnvironmentFault } from "#lib/environment-fault.ts"
import { rememberPlace } from "#lib/files/database-place.ts"
import { isLostLink, LOST_FILE_LINK, makeFolder } from "#lib/make-folder.ts"
import type { SigningScope } from "#ports/key-holder.ts"

/** One signature that the key was used for, or may have been used for. */
export type LoggedSignature = {
  readonly atMs: number
  readonly order: string
  readonly chain: string
  readonly account: string
  readonly action: SigningScope["action"]
  readonly digest: string
  readonly resources: readonly string[]
  readonly secretHash: string | null
  /**
   * The signatures of one group exclude each other on chain, so only the largest charge of a group
   * can leave.
   */
  readonly group: string
  /** The most that leaves, by asset; the network fee is part of the native coin's. */
  readonly charges: ReadonlyMap<string, bigint>
}

type NumberedSignature = LoggedSignature & { readonly seq: number }

/**
 * The two texts of an answer: a transaction with its id, or the digest and signature of typed data.
 */
export type SignedAnswer = readonly [string, string]

/**
 * The signer's own record: append-only, written before the key is used. Nothing that the daemon
 * says settles or removes a row; in that it is stricter than the journal's record
 * (`src/core/ports/signing-record.ts`).
 */
export type SignatureLog = {
  /** The earlier signature over exactly this content, or `null`. */
  find(chain: string, digest: string): LoggedSignature | null
  /** Every earlier deposit for this order or with this secret hash, on any chain. */
  listDeposits(order: string, secretHash: string): readonly LoggedSignature[]
  /** A refund was signed for an order that has a deposit with this secret hash. */
  hasRefund(secretHash: string): boolean
  /** Every earlier signature of the account with one of these nonces or inputs. */
  listByResources(
    chain: string,
    account: string,
    resources: readonly string[],
  ): readonly LoggedSignature[]
  /** The signatures of the last day before `nowMs`, with all others of their groups. */
  listOfDay(nowMs: number): readonly LoggedSignature[]
  /** The latest time in the record; 0 if it is empty. */
  latestMs(): number
  add(signature: LoggedSignature): void
  /** Adds signatures of another signer with the same keys, all or none. */
  addAll(signatures: readonly LoggedSignature[]): void
  /**
   * Whether the record has space in its own files for the refunds and redemptions of a full disk.
   */
  hasSpace(): boolean
  /**
   * The first answer over exactly this content, or `null`. A token signs with random nonces, and
   * this keeps its signatures the same.
   */
  findAnswer(chain: string, digest: string): SignedAnswer | null
  keepAnswer(chain: string, digest: string, answer: SignedAnswer): void
  /**
   * The signatures before this number, newest first, at most `limit`; from the newest for `null`.
   */
  listBefore(seq: number | null, limit: number): readonly NumberedSignature[]
  /** Whether the path still leads to the open files. */
  findPlace(): ReturnType<ReturnType<typeof rememberPlace>>
  /** The digest of the first signature, which names this record; `null` while it is empty. */
  firstDigest(): string | null
  /** Up to which claim of a journal this record was filled; `null` before the first time. */
  readImported(): ImportMark | null
  noteImported(mark: ImportMark): void
  close(): void
}

const DAY_MS = 24 * 3_600_000
/** A signature takes a few hundred bytes. */
const SPACE_BYTES = 1024 * 1024

const SCHEMA = `
create table if not exists signatures (
  seq integer primary key,
  at_ms integer not null,
  order_id text not null,
  chain text not null,
  account text not null,
  action text not null,
  digest text not null,
  resources text not null,
  secret_hash text,
  exclusion text not null,
  charges text not null,
  unique (chain, digest)
) strict;
create table if not exists answers (
  chain text not null,
  digest text not null,
  first text not null,
  second text not null,
  primary key (chain, digest)
) strict;
create table if not exists used_resources (
  seq integer not null references signatures (seq),
  name text not null
) strict;
create table if not exists imported (
  one integer primary key check (one = 1),
  seq integer not null,
  digest text not null
) strict;
create index if not exists used_resources_by_name on used_resources (name);
create index if not exists signatures_by_order on signatures (order_id);
create index if not exists signatures_by_hash on signatures (secret_hash);
create index if not exists signatures_by_time on signatures (at_ms);
create index if not exists signatures_by_exclusion on signatures (exclusion);
create trigger if not exists signatures_are_kept before delete on signatures begin
  select raise(abort, 'the signing record is append-only');
end;
create trigger if not exists signatures_are_final before update on signatures begin
  select raise(abort, 'the signing record is append-only');
end;
create trigger if not exists answers_are_kept before delete on answers begin
  select raise(abort, 'the signing record is append-only');
end;
create trigger if not exists answers_are_final before update on answers begin
  select raise(abort, 'the signing record is append-only');
end;
create trigger if not exists used_resources_are_kept before delete on used_resources begin
  select raise(abort, 'the signing record is append-only');
end;
create trigger if not exists used_resources_are_final before update on used_resources begin
  select raise(abort, 'the signing record is append-only');
end;
`

/**
 * Opens the record. Throws `signer.record` (fatal) for a file that cannot be opened, or that
 * another version wrote, `signer.damaged_file` (fatal), and `system.*` (transient) for trouble of
 * the machine.
 */
export function openSignatureLog(file: string): SignatureLog {
  const db = openFile(file)
  const place = file === ":memory:" ? () => "in_place" as const : rememberPlace(file)
  const space = file === ":memory:" ? null : createDatabaseSpace(db)
  const hasSpace = (): boolean => space?.keep(SPACE_BYTES) ?? true
  hasSpace()
  /** Writes once more when the log of a full disk was used up, because its space is free then. */
  const again = (write: () => void): void => {
    try {
      write()
    } catch (error) {
      if (space?.reuse(error) !== true) throw error
      write()
    }
  }
  const all = (sql: string, ...values: (string | number)[]) =>
    db
      .prepare(sql)
      .all(...values)
      .map(toSignature)
  let ofDay = loadDay(
    all,
    Number(db.prepare("select max(at_ms) latest from signatures").get()?.["latest"] ?? 0),
  )
  let latestMs = ofDay.reduce((latest, { atMs }) => Math.max(latest, atMs), 0)

  return {
    ...openHistory(db, all),
    listOfDay: (nowMs) => {
      const groups = new Set(
        ofDay.filter(({ atMs }) => atMs > nowMs - DAY_MS).map(({ group }) => group),
      )
      for (let at = ofDay.length - 1; at >= 0; at--)
        if (!groups.has(ofDay[at]?.group ?? "")) ofDay.splice(at, 1)
      return ofDay
    },
    latestMs: () => latestMs,
    addAll: (signatures) => {
      if (signatures.length === 0) return
      insertAll(db, signatures)
      latestMs = signatures.reduce((latest, { atMs }) => Math.max(latest, atMs), latestMs)
      ofDay = loadDay(all, latestMs)
    },
    add: (signature) => {
      again(() => insertAll(db, [signature]))
      const fromGroup = all("select * from signatures where exclusion = ?", signature.group)
      for (let at = ofDay.length - 1; at >= 0; at--)
        if (ofDay[at]?.group === signature.group) ofDay.splice(at, 1)
      ofDay.push(...fromGroup)
      latestMs = Math.max(latestMs, signature.atMs)
    },
    hasSpace,
    ...openAnswers(db, again),
    listBefore: (seq, limit) =>
      db
        .prepare("select * from signatures where seq < ? order by seq desc limit ?")
        .all(seq ?? Number.MAX_SAFE_INTEGER, limit)
        .map((row) => ({ ...toSignature(row), seq: Number(row["seq"]) })),
    findPlace: place,
    firstDigest: () => {
      const row = db.prepare("select digest from signatures order by seq limit 1").get()
      return row === undefined ? null : String(row["digest"])
    },
    ...openImportMark(db),
    close: () => db.close(),
  }
}

type All = (sql: string, ...values: (string | number)[]) => LoggedSignature[]

function openHistory(
  db: DatabaseSync,
  all: All,
): Pick<SignatureLog, "find" | "listDeposits" | "hasRefund" | "listByResources"> {
  return {
    find: (chain, digest) =>
      all("select * from signatures where chain = ? and digest = ?", chain, digest)[0] ?? null,
    listDeposits: (order, secretHash) =>
      all(
        "select * from signatures where secret_hash = ? or (order_id = ? and secret_hash is " +
          "not null)",
        secretHash,
        order,
      ),
    hasRefund: (secretHash) =>
      db
        .prepare(
          "select 1 from signatures where action = 'refund' and order_id in (select order_id " +
            "from signatures where secret_hash = ?)",
        )
        .get(secretHash) !== undefined,
    listByResources: (chain, account, resources) =>
      resources.flatMap((resource) =>
        all(
          "select signatures.* from signatures join used_resources using (seq) where name = ?",
          nameOf(chain, account, resource),
        ),
      ),
  }
}

function openAnswers(
  db: DatabaseSync,
  again: (write: () => void) => void,
): Pick<SignatureLog, "findAnswer" | "keepAnswer"> {
  return {
    findAnswer: (chain, digest) => {
      const row = db
        .prepare("select first, second from answers where chain = ? and digest = ?")
        .get(chain, digest)
      return row === undefined ? null : [String(row["first"]), String(row["second"])]
    },
    keepAnswer: (chain, digest, [first, second]) => {
      const insertion = db.prepare(
        "insert into answers (chain, digest, first, second) values (?, ?, ?, ?)",
      )
      again(() => void insertion.run(chain, digest, first, second))
    },
  }
}

function openImportMark(db: DatabaseSync): Pick<SignatureLog, "readImported" | "noteImported"> {
  return {
    readImported: () => {
      const row = db.prepare("select seq, digest from imported").get()
      return row === undefined ? null : { seq: Number(row["seq"]), digest: String(row["digest"]) }
    },
    noteImported: ({ seq, digest }) => {
      const sql =
        "insert into imported values (1, ?, ?) on conflict (one) do update set seq = ?, digest = ?"
      db.prepare(sql).run(seq, digest, seq, digest)
    },
  }
}

function loadDay(
  all: (sql: string, ...values: number[]) => LoggedSignature[],
  latestMs: number,
): LoggedSignature[] {
  const recent = "select exclusion from signatures where at_ms > ?"
  return all(
    `select * from signatures where exclusion in (${recent}) order by seq`,
    latestMs - DAY_MS,
  )
}

function insertAll(db: DatabaseSync, signatures: readonly LoggedSignature[]): void {
  db.exec("begin immediate")
  try {
    for (const signature of signatures) insert(db, signature)
    db.exec("commit")
  } catch (error) {
    if (db.isTransaction) db.exec("rollback")
    throw error
  }
}

const INSERT = `
  insert into signatures (
    at_ms,
    order_id,
    chain,
    account,
    action,
    digest,
    resources,
    secret_hash,
    exclusion,
    charges
  ) values (
    :atMs,
    :order,
    :chain,
    :account,
    :action,
    :digest,
    :resources,
    :secretHash,
    :group,
    :charges
  )`

function insert(db: DatabaseSync, signature: LoggedSignature): void {
  const { chain, account, resources, charges } = signature
  const sums = [...charges].map(([asset, units]) => [asset, units.toString()])
  const { lastInsertRowid } = db.prepare(INSERT).run({
    atMs: signature.atMs,
    order: signature.order,
    chain,
    account,
    action: signature.action,
    digest: signature.digest,
    resources: JSON.stringify(resources),
    secretHash: signature.secretHash,
    group: signature.group,
    charges: JSON.stringify(sums),
  })
  for (const resource of resources) {
    const name = nameOf(chain, account, resource)
    db.prepare("insert into used_resources (seq, name) values (?, ?)").run(lastInsertRowid, name)
  }
}

function nameOf(chain: string, account: string, resource: string): string {
  return `${chain}/${account}/${resource}`
}

function openFile(file: string): DatabaseSync {
  try {
    if (file !== ":memory:") makeFolder(dirname(file))
    if (isLostLink(file)) throw unusable(file, LOST_FILE_LINK)
    const db = new DatabaseSync(file, { timeout: 5_000 })
    refuseForeign(db, file)
    db.exec("pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on")
    const version = Number(db.prepare("pragma user_version").get()?.["user_version"] ?? 0)
    if (version > SCHEMA_VERSION) throw new Error(`schema ${version}`)
    db.exec(`begin immediate; ${SCHEMA}; pragma user_version = ${SCHEMA_VERSION}; commit`)
    checkPages(db, file)
    return db
  } catch (cause) {
    const fault = findEnvironmentFault(cause, file)
    if (fault !== null) throw fault
    if (cause instanceof AppError) throw cause
    if (isDamage(cause)) throw damaged(file, cause.message)
    throw new AppError({
      code: "signer.record",
      disposition: "fatal",
      message:
        `the signer's record ${file} cannot be opened ` +
        `(${cause instanceof Error ? cause.message : String(cause)}); check that the signer may ` +
        "write there, and that no newer Ballast wrote it",
      details: { file },
      cause,
    })
  }
}

const SCHEMA_VERSION = 1

/** Ballast would add its tables to those of another program. */
function refuseForeign(db: DatabaseSync, file: string): void {
  const version = Number(db.prepare("pragma user_version").get()?.["user_version"] ?? 0)
  const tables = Number(db.prepare("select count(*) as n from sqlite_schema").get()?.["n"] ?? 0)
  if (version !== 0 || tables === 0) return
  db.close()
  throw unusable(
    file,
    "is a database of another program, and nothing in it was changed; move it away, and put the " +
      "newest backup in its place, or name another data_dir",
  )
}

function unusable(file: string, why: string): AppError {
  return new AppError({
    code: "signer.record",
    disposition: "fatal",
    message: `the signer's record ${file} ${why}`,
    details: { file },
  })
}

/** Reads every page: a claim on a damaged one would be missing when it matters. */
function checkPages(db: DatabaseSync, file: string): void {
  const [first] = db.prepare("pragma quick_check(1)").all()
  const found = String(first?.["quick_check"] ?? "no answer")
  if (found !== "ok") throw damaged(file, found)
}

/** SQLite's primary result codes of a damaged file, and of one that is no database. */
function isDamage(error: unknown): error is Error {
  return (
    error instanceof Error && "errcode" in error && [11, 26].includes(Number(error.errcode) & 0xff)
  )
}

function damaged(file: string, found: string): AppError {
  return new AppError({
    code: "signer.damaged_file",
    disposition: "fatal",
    message:
      `the signer's record ${file} is damaged (${found}); keep a copy, then move it away with ` +
      "its -wal and -shm while the daemon's journal is whole: the daemon fills a new one from it",
    details: { file, found },
  })
}

type Row = Readonly<Record<string, unknown>>

function toSignature(row: Row): LoggedSignature {
  const text = (name: string): string => String(row[name])
  // CAST: only `insert` writes rows, and no row changes.
  const resources = JSON.parse(text("resources")) as string[]
  const sums = JSON.parse(text("charges")) as [string, string][]
  return {
    atMs: Number(row["at_ms"]),
    order: text("order_id"),
    chain: text("chain"),
    account: text("account"),
    digest: text("digest"),
    // CAST: as above.
    action: text("action") as LoggedSignature["action"],
    resources,
    group: text("exclusion"),
    secretHash: row["secret_hash"] === null ? null : text("secret_hash"),
    charges: new Map(sums.map(([asset, units]) => [asset, BigInt(units)])),
  }
}
