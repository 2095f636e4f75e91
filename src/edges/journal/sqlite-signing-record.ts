import type { ChainId } from "#domain/asset.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import type {
  SecretDecisions,
  SignatureClaim,
  SignatureRow,
  SignedRow,
  SigningRecord,
} from "#ports/signing-record.ts"
import { reserve } from "./reservations.ts"
import {
  type All,
  insertRow,
  mapOne,
  type One,
  type Row,
  type Run,
  textOrNull,
  toText,
} from "./row.ts"
import { decideSecret, judgeSecretUse, listDecisions } from "./secret-decisions.ts"

type Access = {
  readonly run: Run
  readonly one: One
  readonly all: All
  readonly transact: (body: () => void) => void
}

export function openSigningRecord({
  run,
  one,
  all,
  transact,
}: Access): SigningRecord & SecretDecisions {
  return {
    claimSignature: (claim, companion) =>
      transact(() => {
        if (companion !== undefined) claimSignature({ run, one, all }, companion)
        claimSignature({ run, one, all }, claim)
      }),
    decideSecret: (row) => transact(() => decideSecret(run, one, all, row)),
    listSecretDecisions: (orderId) => listDecisions(all, orderId),
    storeSignature: (orderId, signed) => transact(() => storeSignature(run, one, orderId, signed)),
    settleSignatures: (orderId, purpose) => transact(() => settleSignatures(run, orderId, purpose)),
    findOpenClaim: (orderId, purpose) =>
      mapOne(
        one(`${ROWS} where ${OPEN} order by record.seq desc limit 1`, orderId, purpose),
        toSignature,
      ),
    listOf: (orderId) =>
      all(`${ROWS} where order_id = ? order by record.seq`, orderId).map(toSignature),
    listUnsettled: (chain, account) =>
      all(
        `${ROWS} where chain = ? and account = ? and resources <> '[]' and done.seq is null ` +
          "order by record.seq",
        chain,
        account,
      ).map((row) => {
        const signature = toSignature(row)
        const used = one(USED_UP, chain, account, encodeJson(signature.resources))
        return { ...signature, isUsedUp: used !== undefined }
      }),
    isDigestKnown: (chain, digest) => one(KNOWN_DIGEST, digest, chain) !== undefined,
    listRecorded: (afterSeq, limit) =>
      all(`${ROWS} where record.seq > ? order by record.seq limit ?`, afterSeq, limit).map(
        (row) => ({
          ...toSignature(row),
          seq: Number(row["seq"]),
        }),
      ),
    restoreSignature: (claim, settled) =>
      transact(() => {
        const { orderId, purpose, digest } = claim
        if (one(SAME_ROW, orderId, purpose, digest) !== undefined) return
        insertSignature(run, claim)
        if (settled) run("insert into settled_signatures select max(seq) from signing_record")
      }),
    isOurs: (chain, txid) =>
      one(
        "select 1 as found from signing_record where lower(txid) = lower(?) and chain = ?",
        txid,
        chain,
      ) !== undefined,
    isResourceSigned: (chain, account, resource, found = "claim") =>
      one(
        found === "bytes" ? `${SIGNED_WITH} and raw is not null` : SIGNED_WITH,
        chain,
        account,
        resource,
      ) !== undefined,
    listSigners: (digest, chain, exceptOrder) =>
      all(SIGNERS_OF, digest, exceptOrder, chain).map((row) => ({
        orderId: toText(row["order_id"]),
        purpose: toText(row["purpose"]),
      })),
  }
}

/**
 * Adds the bytes to their claim. Deterministic signing gives the same bytes again, so others prove
 * a fault.
 */
export function storeSignature(run: Run, one: One, orderId: string, signed: SignedRow): void {
  const { purpose, digest, txid, raw } = signed
  const details = { order: orderId, purpose, digest }
  const claim = one(
    "select seq, txid, raw from signing_record where order_id = ? and purpose = ? and digest = ?",
    orderId,
    purpose,
    digest,
  )
  if (claim === undefined) {
    throw new AppError({
      code: "journal.signature_unclaimed",
      disposition: "bug",
      message: "A signature was made without its claim in the signing record",
      details,
    })
  }
  if (claim["raw"] === null) {
    run(
      "update signing_record set txid = ?, raw = ? where seq = ?",
      txid,
      raw,
      Number(claim["seq"]),
    )
    return
  }
  if (claim["raw"] === raw && claim["txid"] === txid) return
  throw new AppError({
    code: "journal.signature_changed",
    disposition: "hold",
    message:
      "The key signed the same content with other bytes than before; nothing was stored or sent",
    details,
  })
}

export function settleSignatures(run: Run, orderId: string, purpose: string): void {
  run(
    `insert into settled_signatures select seq from signing_record
       where order_id = ? and purpose = ? and seq not in (select seq from settled_signatures)`,
    orderId,
    purpose,
  )
}

const ROWS = `select record.*, done.seq as settled from signing_record record
  left join settled_signatures done on done.seq = record.seq`
const OPEN = "order_id = ? and purpose = ? and done.seq is null and raw is null"
const KNOWN_DIGEST = "select 1 found from signing_record where digest = ? and chain = ?"
const SAME_ROW =
  "select 1 found from signing_record where order_id = ? and purpose = ? and digest = ?"
const USED_UP = `select 1 found from signing_record join settled_signatures using (seq)
  where chain = ? and account = ? and resources = ?`
const SIGNED_WITH = `select 1 found from signing_record, json_each(resources)
  where chain = ? and account = ? and json_each.value = ?`
const SIGNERS_OF =
  "select order_id, purpose from signing_record where digest = ? and order_id <> ? and raw " +
  "is not null and chain = ?"

/** A deposit that was ever signed may still land, whatever a node said about it. */
const LEADS_TO_DEPOSIT = ["deposit", "gasless"]

function claimSignature(
  { run, one, all }: { run: Run; one: One; all: All },
  claim: SignatureClaim,
): void {
  const { orderId, purpose, digest, cause } = claim
  if (cause !== undefined && !hasWork(one, cause, orderId)) throw staleWork(orderId)
  judgeSecretUse(run, one, all, claim)
  const earlier = all(
    `${ROWS} where order_id = ? and purpose = ? order by record.seq`,
    orderId,
    purpose,
  ).map((row) => ({ seq: Number(row["seq"]), ...toSignature(row) }))
  const same = earlier.find((row) => row.digest === digest)
  if (same === undefined || same.settled) refuseSecond(claim, earlier)
  for (const resource of claim.reserve ?? []) reserve(run, one, orderId, resource)
  // A settled signature may be needed again, after a reorganisation or when one node knew of more
  // blocks than the others.
  if (same?.settled) run("delete from settled_signatures where seq = ?", same.seq)
  if (same === undefined) insertSignature(run, claim)
}

function refuseSecond(claim: SignatureClaim, earlier: readonly SignatureRow[]): void {
  const { orderId: order, purpose, digest } = claim
  const isStrict = LEADS_TO_DEPOSIT.includes(purpose)
  const clash = earlier.find(
    (row) => row.digest !== digest && (isStrict || !row.settled) && !excludes(row, claim),
  )
  if (clash === undefined) return
  throw new AppError({
    code: "journal.signature_claimed",
    disposition: "hold",
    message:
      "This order has an earlier signature for this purpose, and the new one would not " +
      "exclude it; nothing was signed",
    details: { order, purpose, digest, live: clash.digest },
  })
}

/** Both use one nonce or input of the same account. */
function excludes(earlier: SignatureRow, { chain, account, resources }: SignatureClaim): boolean {
  const isSameAccount = earlier.chain === chain && earlier.account === account
  return isSameAccount && resources.some((resource) => earlier.resources.includes(resource))
}

function insertSignature(run: Run, claim: SignatureClaim): void {
  insertRow(run, "signing_record", {
    order_id: claim.orderId,
    purpose: claim.purpose,
    chain: claim.chain,
    account: claim.account,
    attempt: claim.attempt,
    digest: claim.digest,
    resources: encodeJson(claim.resources),
    plan: claim.plan === null ? null : encodeJson(claim.plan),
    claimed_at: claim.atMs,
  })
}

function hasWork(one: One, id: number, orderId: string): boolean {
  return (
    one(
      "select 1 as found from orders where last_event = ? and id = ? and work is not null",
      id,
      orderId,
    ) !== undefined
  )
}

export function staleWork(orderId: string): AppError {
  return new AppError({
    code: "journal.stale_work",
    disposition: "aborted",
    message: "Another event changed the order while this work ran; its result is dropped",
    details: { order: orderId },
  })
}

function toSignature(row: Row): SignatureRow {
  const plan = textOrNull(row["plan"])
  return {
    orderId: toText(row["order_id"]),
    purpose: toText(row["purpose"]),
    // CAST: the claim wrote it from a ChainId.
    chain: toText(row["chain"]) as ChainId,
    account: toText(row["account"]),
    attempt: Number(row["attempt"]),
    digest: toText(row["digest"]),
    resources: toResources(toText(row["resources"])),
    // CAST: the claim wrote it from a plan, and the row never changes.
    plan: plan === null ? null : (decodeJson(plan) as TransactionPlan),
    txid: textOrNull(row["txid"]),
    raw: textOrNull(row["raw"]),
    settled: row["settled"] != null,
    atMs: Number(row["claimed_at"]),
  }
}

function toResources(text: string): readonly string[] {
  const stored = decodeJson(text)
  return Array.isArray(stored) ? stored.map(String) : []
}
