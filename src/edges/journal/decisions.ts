import { createHash } from "node:crypto"
import type { DecisionRow, NewDecision } from "#ports/journal/decisions.ts"
import type { Access } from "./disk/access.ts"
import { putFlag } from "./pause-for-alarms.ts"
import { type All, type One, type Row, type Run, textOrNull, toText } from "./row.ts"

/**
 * With more decisions than this, the oldest ones without orders are deleted, and then the inputs
 * that no decision refers to.
 */
export const KEPT_DECISIONS = 10_000
/** Old decisions are deleted once in this many new ones. */
const PRUNE_EVERY = 100
/**
 * The flag with the number of the last decision that was judged: it led to an order, or it is
 * deleted.
 */
const PRUNED_FLAG = "decisions.pruned"

export function recordDecision(
  { run, one, all }: Pick<Access, "run" | "one" | "all">,
  decision: NewDecision,
  kept: number = KEPT_DECISIONS,
): boolean {
  const { rule, body, verdict } = decision
  // Two occurrences of a rule that wait for a free place are tried in turn.
  const known = one("select * from decisions where id = ?", decision.id)
  const last =
    known ?? one("select * from decisions where rule = ? order by seq desc limit 1", rule)
  const same =
    last !== undefined &&
    last["body"] === body &&
    last["verdict"] === verdict &&
    last["config_hash"] === decision.configHash &&
    !hasOrder(one, last)
  if (same) {
    run(
      "update decisions set times = times + 1, last_at = ? where seq = ?",
      decision.atMs,
      Number(last["seq"]),
    )
    return false
  }
  writeDecision(run, one, decision)
  const lastSeq = Number(one("select max(seq) as seq from decisions")?.["seq"])
  if (known === undefined && lastSeq % PRUNE_EVERY === 0) prune({ run, one, all }, lastSeq - kept)
  return true
}

/** Links an order to its decision, in the order's own transaction. */
export function linkDecision(run: Run, one: One, decision: NewDecision, orderId: string): void {
  writeDecision(run, one, decision)
  run(
    "insert into decision_orders (decision, order_id) values (?, ?) on conflict do nothing",
    decision.id,
    orderId,
  )
}

export function readDecision(all: All, row: Row): DecisionRow {
  const id = toText(row["id"])
  const orders = all(
    "select order_id from decision_orders where decision = ? order by seq",
    id,
  ).map((link) => toText(link["order_id"]))
  return {
    id,
    atMs: Number(row["at"]),
    rule: toText(row["rule"]),
    verdict: row["verdict"] === "proposed" ? "proposed" : "declined",
    body: toText(row["body"]),
    inputs: textOrNull(row["inputs"]),
    configHash: textOrNull(row["config_hash"]),
    orderId: orders[0] ?? null,
    orders,
    times: Number(row["times"]),
    lastAtMs: Number(row["last_at"]),
  }
}

/** After a crash a decision is made again with the same id, and its result may differ. */
function writeDecision(
  run: Run,
  one: One,
  { id, atMs, rule, verdict, body, inputs, configHash }: NewDecision,
): void {
  const hash = inputs === null ? null : createHash("sha256").update(inputs).digest("hex")
  const before = textOrNull(one("select inputs from decisions where id = ?", id)?.["inputs"])
  if (hash !== null)
    run("insert into decision_inputs values (?, ?) on conflict do nothing", hash, inputs)
  run(
    `insert into decisions (id, at, rule, verdict, body, last_at, inputs, config_hash)
     values (?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (id) do update set
       verdict = excluded.verdict,
       body = excluded.body,
       last_at = excluded.last_at,
       inputs = excluded.inputs,
       config_hash = excluded.config_hash`,
    id,
    atMs,
    rule,
    verdict,
    body,
    atMs,
    hash,
    configHash,
  )
  if (before !== null && before !== hash) dropInputs(run, before)
}

function hasOrder(one: One, row: Row): boolean {
  return (
    one("select 1 as found from decision_orders where decision = ?", toText(row["id"])) !==
    undefined
  )
}

/**
 * Judges the decisions up to this number that were not judged before, so it reads a hundred,
 * however many led to orders.
 */
function prune({ run, one, all }: Pick<Access, "run" | "one" | "all">, untilSeq: number): void {
  const fromSeq = Number(one("select value from flags where key = ?", PRUNED_FLAG)?.["value"] ?? 0)
  if (untilSeq <= fromSeq) return
  const inputs = all(`select distinct inputs ${OLD}`, fromSeq, untilSeq)
  run(`delete ${OLD}`, fromSeq, untilSeq)
  for (const row of inputs) {
    const hash = textOrNull(row["inputs"])
    if (hash !== null) dropInputs(run, hash)
  }
  putFlag(run, PRUNED_FLAG, String(untilSeq))
}

const OLD = `from decisions where seq > ? and seq <= ?
  and not exists (select 1 from decision_orders where decision_orders.decision = decisions.id)`

/** Deletes the inputs unless another decision refers to them. */
function dropInputs(run: Run, hash: string): void {
  run(
    "delete from decision_inputs where hash = ?1 and not exists (select 1 from decisions " +
      "where inputs = ?1)",
    hash,
  )
}
