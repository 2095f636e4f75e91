import { createHash } from "node:crypto"
import type { DecisionRow, NewDecision } from "./port.ts"
import { type All, type One, type Row, type Run, textOrNull, toText } from "./row.ts"

/** With more decisions than this, the oldest ones without orders are deleted, and then the inputs that no decision refers to. */
export const KEPT_DECISIONS = 10_000
/** Deleting reads the whole table, so it happens once in this many new decisions. */
const PRUNE_EVERY = 100

export function recordDecision(run: Run, one: One, decision: NewDecision, kept: number = KEPT_DECISIONS): boolean {
  const { rule, body, verdict } = decision
  const last = one("select * from decisions where rule = ? order by seq desc limit 1", rule)
  const known = one("select seq from decisions where id = ?", decision.id) !== undefined
  const same =
    last !== undefined &&
    last["body"] === body &&
    last["verdict"] === verdict &&
    last["config_hash"] === decision.configHash &&
    !hasOrder(one, last)
  if (same && (!known || last["id"] === decision.id)) {
    run("update decisions set times = times + 1, last_at = ? where seq = ?", decision.atMs, Number(last["seq"]))
    return false
  }
  writeDecision(run, decision)
  // A decision that is written again is no new one: without this, each repetition of the hundredth decision would read the whole table.
  if (!known && Number(one("select max(seq) as seq from decisions")?.["seq"]) % PRUNE_EVERY === 0) prune(run, kept)
  return true
}

/** Links an order to its decision, in the order's own transaction. */
export function linkDecision(run: Run, decision: NewDecision, orderId: string): void {
  writeDecision(run, decision)
  run("insert into decision_orders (decision, order_id) values (?, ?) on conflict do nothing", decision.id, orderId)
}

export function readDecision(all: All, row: Row): DecisionRow {
  const id = toText(row["id"])
  const orders = all("select order_id from decision_orders where decision = ? order by seq", id).map((link) =>
    toText(link["order_id"]),
  )
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
function writeDecision(run: Run, { id, atMs, rule, verdict, body, inputs, configHash }: NewDecision): void {
  const hash = inputs === null ? null : createHash("sha256").update(inputs).digest("hex")
  if (hash !== null) run("insert into decision_inputs values (?, ?) on conflict do nothing", hash, inputs)
  run(
    `insert into decisions (id, at, rule, verdict, body, last_at, inputs, config_hash) values (?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (id) do update set verdict = excluded.verdict, body = excluded.body, last_at = excluded.last_at,
       inputs = excluded.inputs, config_hash = excluded.config_hash`,
    id,
    atMs,
    rule,
    verdict,
    body,
    atMs,
    hash,
    configHash,
  )
}

function hasOrder(one: One, row: Row): boolean {
  return one("select 1 as found from decision_orders where decision = ?", toText(row["id"])) !== undefined
}

function prune(run: Run, kept: number): void {
  run(
    "delete from decisions where seq <= (select max(seq) from decisions) - ? and id not in (select decision from decision_orders)",
    kept,
  )
  run("delete from decision_inputs where hash not in (select inputs from decisions where inputs is not null)")
}
