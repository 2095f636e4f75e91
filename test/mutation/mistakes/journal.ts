// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are code with templates.

import { type MistakesOfRoom, mistakesIn } from "../mistake.ts"

const JOURNAL = [
  "test/e2e/journal/sqlite-journal.test.ts",
  "test/unit/journal/stored-orders.test.ts",
  "src/journal/open-orders.test.ts",
  "test/unit/journal/stored-changes.test.ts",
]
const GROUP = ["src/journal/group-commit.test.ts"]
const COUNTS = ["test/unit/journal/counts.test.ts", "src/journal/open-orders.test.ts"]
const SIGNING = ["src/journal/sqlite-signing-record.test.ts"]
const LEDGER = ["test/unit/journal/sqlite-ledger.test.ts"]
const DECISIONS = ["src/journal/decisions.test.ts"]

export const journalMistakes: MistakesOfRoom = {
  room: "journal",
  tests: ["src/journal", "test/unit/journal"],
  mistakes: [
    ...mistakesIn("src/journal/group-commit.ts", GROUP, [
      [
        "a step that throws leaves half of itself",
        'db.exec("rollback to step; release step")',
        'db.exec("release step")',
      ],
      [
        "a step that throws undoes the steps before it",
        'db.exec("rollback to step; release step")',
        'db.exec("rollback")',
      ],
      ["a wait for the disk ends at once", "isOpen ? waits.wait()", "!isOpen ? waits.wait()"],
      ["a refused group counts as written", "end(writeFailed(error))\n      return", "end(null)\n      return"],
      ["a refused group stays open", "      end(writeFailed(error))\n      return", "      return"],
    ]),
    ...mistakesIn("src/journal/sqlite-journal.ts", GROUP, [
      ["a close forgets the open group", "      steps.flush()\n", ""],
    ]),
    ...mistakesIn("src/journal/sqlite-journal.ts", JOURNAL, [
      ["a refused group stays in memory", "memory.forget()\n    space?.reuse", "space?.reuse"],
      ["an undone group stays in memory", "discard()\n      memory.forget()", "discard()"],
      ["a beginning is not counted", "set work_begun = work_begun + 1 where", "set work_begun = work_begun where"],
      [
        "all work is postponed",
        "update orders set work_due = ? where ${ITS_WORK}`, dueAtMs, orderOf(id), id",
        "update orders set work_due = ? where id = id or ${ITS_WORK}`, dueAtMs, orderOf(id), id",
      ],
      [
        "an order finds its own reservations taken",
        "char(1114111) and order_id <> ?",
        "char(1114111) and order_id is not ?",
        "`is not` and `<>` mean the same for values that are never null",
      ],
      [
        "the reservations of other orders are missed",
        "char(1114111) and order_id <> ?",
        "char(1114111) and order_id = ?",
      ],
      [
        "a secret of our own order counts as another's",
        '"select 1 as found from orders where secret_hash = ? and id <> ?", secretHash, exceptOrder',
        '"select 1 as found from orders where secret_hash = ? and id = ?", secretHash, exceptOrder',
      ],
      [
        "a failed transaction is committed in part",
        'if (db.isTransaction) db.exec("rollback")',
        'if (db.isTransaction) db.exec("commit")',
      ],
    ]),
    ...mistakesIn("src/journal/occurrences.ts", JOURNAL, [
      ["a settled occurrence is settled again", "if (inserted === 1) return\n", "return\n"],
    ]),
    ...mistakesIn("src/journal/orders.ts", JOURNAL, [
      ["only the first of two alerts is stored", "= step.alerts.flatMap(", "= step.alerts.slice(0, 1).flatMap("],
      [
        "a booking is lost",
        "writeBooking({ run, all }, step.booking, { orderId: order.id, atMs: step.event.atMs })",
        "",
      ],
      [
        "a booking is written in a commit of its own",
        "writeBooking({ run, all }, step.booking, { orderId: order.id, atMs: step.event.atMs })\n            if (step.summarize) writeSummary({ run, all }, order.id, step.summarize)\n          })",
        "})\n      ?? transact(() => writeBooking({ run, all }, step.booking, { orderId: order.id, atMs: step.event.atMs }))",
      ],
      ["stale work is committed", ", cause })) throw", ", cause: null })) throw"],
      ["the next work is lost", "{ order, place, work, before", "{ order, place, work: null, before"],
      [
        "an order is opened without its event",
        "            insertEvent(run, { seq, order, event, previous",
        "            if (event === null) insertEvent(run, { seq, order, event, previous",
      ],
      [
        "an order is opened without its work",
        "insertOrder(run, order, { seq, changes: 1 }, work)",
        "insertOrder(run, order, { seq, changes: 1 }, null)",
      ],
      [
        "a work gets the number of undone work",
        "Math.max(eventIds.last, memory.read().lastEvent) + 1",
        "Math.max(0, memory.read().lastEvent) + 1",
      ],
      [
        "a step changes the text of the step before the last",
        "pieces: isWhole(pieces, row.snapshot) ? pieces : null",
        "pieces: rows.find(row.id)?.pieces ?? (isWhole(pieces, row.snapshot) ? pieces : null)",
      ],
      [
        "a change counts as the whole text",
        "change === null ? 1 : last.changes + 1",
        "change === null ? 1 : last.changes",
      ],
      ["an event leads back past the one before it", "previous, change: change", "previous: null, change: change"],
      [
        "a step that ends an order keeps its reservations",
        'if (step.release === "all") run(',
        'if (step.release === "none") run(',
      ],
      [
        "a release frees the resources of every order",
        '"delete from reservations where order_id = ? and substr(resource, 1, ?) = ?",\n      ...[order.id, step',
        '"delete from reservations where substr(resource, 1, ?) = ?",\n      ...[step',
      ],
      [
        "a release of one kind frees all of the order",
        '"delete from reservations where order_id = ? and substr(resource, 1, ?) = ?",\n      ...[order.id, step.release.length, step.release],',
        '"delete from reservations where order_id = ?",\n      ...[order.id],',
      ],
      [
        "an allowance lock is not reserved",
        "for (const resource of step.reserve) reserve(run, one, order.id, resource)",
        "",
      ],
      [
        "a step reserves before it releases nothing more than its first resource",
        "of step.reserve) reserve",
        "of step.reserve.slice(0, 1)) reserve",
      ],
      [
        "signed bytes are not stored",
        "for (const signed of [step.signedBeside, step.signed]) if (signed) storeSignature(run, one, order.id, signed)",
        "",
      ],
      ["a settled purpose stays open", "if (step.settle) settleSignatures(run, order.id, step.settle)", ""],
      [
        "only the step's own purpose is settled",
        "for (const purpose of step.alsoSettle ?? []) settleSignatures(run, order.id, purpose)",
        "",
      ],
      [
        "an occurrence makes two orders",
        "if (occurrence) insertOccurrence(run, occurrence, order.id, null, order.createdAtMs)",
        "",
      ],
      [
        "a disarmed order is listed as open",
        'where outcome is null and state <> \'disarmed\'" : ""',
        'where outcome is null" : ""',
      ],
      [
        "a payout to another asset counts",
        'where payout_tx = ? and to_asset = ?", txid, to)',
        'where payout_tx = ? and ? = ?", txid, to, to)',
      ],
      ["orders that changed at that moment are missed", "updatedAtMs >= sinceMs", "updatedAtMs > sinceMs"],
      ["the oldest alerts are listed", "from alerts order by seq desc limit", "from alerts order by seq limit"],
    ]),
    ...mistakesIn(
      "src/journal/text-change.ts",
      ["test/unit/journal/text-change.test.ts"],
      [
        [
          "half of a character is stored",
          "return at > 0 && unit >= 0xdc_00 && unit <= 0xdf_ff",
          "return at > 0 && unit < 0",
        ],
        ["a change fits a text of another length", "if (before.length !== lengthBefore) return null\n", ""],
        [
          "a change may leave text behind",
          "after.length === lengthAfter && place === change.length",
          "after.length === lengthAfter",
        ],
        [
          "text of the event is taken from the wrong place",
          "event.slice(from, from + length))\n",
          "event.slice(from + 1, from + 1 + length))\n",
        ],
      ],
    ),
    ...mistakesIn(
      "src/journal/gather-steps.ts",
      ["src/journal/gather-steps.test.ts"],
      [
        ["a single step waits for others", "steps === known || ", ""],
        ["steps that no call waits for stay open", "wanted.signal.aborted || flush()", "undefined"],
        ["a call waits the longest time for its group", '      wanted.abort("wanted")\n      turn(ask)\n', ""],
        ["the longest time ends a group that is being gathered", "wanted.signal.aborted || flush()", "flush()"],
        ["a crowd of steps is never written", " || passedMs >= LONGEST_MS", ""],
      ],
    ),
    ...mistakesIn("src/journal/write-order.ts", JOURNAL, [
      ["two orders may have one secret", "  if (indexed.length > 0) refuseKnownSecret(one, order)\n", ""],
      [
        "the value of an order is stored as its fee",
        "order.sourceFiat?.toString() ?? null,\n    order.feeFiat?.toString() ?? null,\n    Number(order.deposited),\n    order.updatedAtMs,",
        "order.feeFiat?.toString() ?? null,\n    order.sourceFiat?.toString() ?? null,\n    Number(order.deposited),\n    order.updatedAtMs,",
      ],
      [
        "an order counts from its last change",
        "...indexed.map(([key]) => after[key] ?? null),",
        '...indexed.map(([key]) => (key === "countedAtMs" ? order.updatedAtMs : (after[key] ?? null))),',
      ],
      ["a new outcome is not written", '  ["outcome", "outcome"],\n', ""],
      ["a new time of counting is not written", '  ["countedAtMs", "counted_at"],\n', ""],
    ]),
    ...mistakesIn("src/journal/read-open-orders.ts", JOURNAL, [
      ["a change by another process is missed", "if (known?.version !== version) known = null", ""],
      [
        "a step that is on disk is forgotten after an error",
        "if (known !== null) readOne(",
        "if (known === undefined) readOne(",
      ],
    ]),
    ...mistakesIn("src/journal/outbox.ts", JOURNAL, [
      [
        "work of an order that is ahead of a clock that was set back is not listed",
        "work.dueAtMs <= untilMs || isAhead(work)",
        "work.dueAtMs <= untilMs",
      ],
      ["work that is due now waits", "({ dueAtMs }) => dueAtMs <= untilMs", "({ dueAtMs }) => dueAtMs < untilMs"],
    ]),
    ...mistakesIn(
      "src/journal/sorted-list.ts",
      ["src/journal/sorted-list.test.ts"],
      [["work is listed in any order", "piece.splice(place, 0, item)", "piece.push(item)"]],
    ),
    ...mistakesIn(
      "src/journal/pause-for-alarms.ts",
      [...JOURNAL, "test/proof/engine/stop-on-alarm.test.ts"],
      [
        [
          "a flag is written once",
          'on conflict (key) do update set value = excluded.value", key, value)',
          'on conflict (key) do nothing", key, value)',
        ],
      ],
    ),
    ...mistakesIn("src/journal/reservations.ts", JOURNAL, [
      ["two orders may hold one resource", "if (holder !== undefined) {", 'if (holder === "") {'],
      ["an order cannot keep its own resource", "if (holder === orderId) return\n", ""],
    ]),
    ...mistakesIn("src/journal/open-database.ts", JOURNAL, [
      ["a power cut may take back a commit", "pragma synchronous = full", "pragma synchronous = normal"],
      ["a newer journal is opened", "version > SCHEMA_VERSION", "version > SCHEMA_VERSION + 100"],
      [
        "a migration runs twice",
        "MIGRATIONS.slice(version).forEach",
        "MIGRATIONS.slice(Math.max(0, version - 1)).forEach",
      ],
      [
        "a migration is not one transaction",
        "begin immediate; ${sql}; pragma user_version = ${version + index + 1}; commit",
        "${sql}; pragma user_version = ${version + index + 1}",
      ],
      ["the schema's number stays behind", "version + index + 1}", "version + index}"],
    ]),
    ...mistakesIn("src/journal/open-orders.ts", COUNTS, [
      ["an order in flight leaves its window by age", "count: orders.size", "count: 0"],
      ["the value counts the fees", '["fiat", sourceFiat]', '["fiat", feeFiat]'],
      ["a disarmed order reserves its amount", 'outcome === null && state !== "disarmed"', "outcome === null"],
      ["an order that waits for its proof takes a place in flight", ' && state !== "proving-unfunded"', ""],
      ["an order that settles takes a place in flight", 'state !== "settling" && ', ""],
      ["fees are reserved on the destination's chain", "[`fees ${chainOf(from)}`", "[`fees ${chainOf(order.to)}`"],
      ["a deposited amount stays committed", "deposited ? null : sourceUnits", "sourceUnits"],
      ["an order counts for its source chain only", "[chainOf(from), chainOf(to)]", "[chainOf(from)]"],
      ["a change of the fees is missed", "    a.feeUnits === b.feeUnits &&\n", ""],
      ["a deposit is missed", "    a.deposited === b.deposited &&\n", ""],
    ]),
    ...mistakesIn("src/journal/counts.ts", COUNTS, [
      ["an order counts one moment too long", "counted_at > ?", "counted_at >= ?"],
      [
        "the fees of rejected orders do not count",
        'underWay.feesFiat + sum(rows, "fee_fiat")',
        'underWay.feesFiat + sum(sold, "fee_fiat")',
      ],
      [
        "a completed order does not end a row of failures",
        "max(updated_at) last from orders where ${where} and outcome = 'completed'",
        "min(updated_at) last from orders where ${where} and outcome = 'completed'",
      ],
      ["a held order is no failure", ": [Number(at)]", ": []"],
      [
        "the way back is the same pair",
        '{ where: "from_asset = ? and to_asset = ?", values: [of.from, of.to] }',
        '{ where: "from_asset in (?, to_asset) and to_asset in (?, from_asset)", values: [of.from, of.to] }',
      ],
      [
        "an order that never deposited counts as sold",
        'outcome !== "rejected" && outcome !== "abandoned"',
        'outcome !== "rejected" || outcome !== "abandoned"',
      ],
      ["units of all assets are one sum", 'row["from_asset"] === unitsOf', 'row["from_asset"] !== ""'],
      ["a held order fails anew with each look", "select min(at) from steps", "select max(at) from steps"],
    ]),
    ...mistakesIn("src/journal/sqlite-signing-record.ts", SIGNING, [
      [
        "settling one purpose settles all",
        "where order_id = ? and purpose = ? and seq not in (select seq from settled_signatures)`,\n    orderId,\n    purpose,",
        "where order_id = ? and seq not in (select seq from settled_signatures)`,\n    orderId,",
      ],
      [
        "settling one order settles all",
        "where order_id = ? and purpose = ? and seq not in (select seq from settled_signatures)`,\n    orderId,\n    purpose,",
        "where purpose = ? and seq not in (select seq from settled_signatures)`,\n    purpose,",
      ],
      [
        "signed bytes need no claim",
        "if (claim === undefined) {\n",
        "if (claim === undefined) return\n  if (claim === null) {\n",
      ],
      [
        "other bytes for the same claim are accepted",
        'if (claim["raw"] === raw && claim["txid"] === txid) return\n',
        "return\n",
      ],
      [
        "other bytes with the same txid are accepted",
        'claim["raw"] === raw && claim["txid"] === txid',
        'claim["txid"] === txid',
      ],
      [
        "a settled deposit signature no longer counts",
        'const LEADS_TO_DEPOSIT = ["deposit", "gasless"]',
        "const LEADS_TO_DEPOSIT: readonly string[] = []",
      ],
      ["a settled gasless signature no longer counts", '["deposit", "gasless"]', '["deposit"]'],
      [
        "a second signature must exclude only the newest one",
        "earlier.find((row) => row.digest !== digest",
        "earlier.slice(-1).find((row) => row.digest !== digest",
      ],
      ["a second signature needs to exclude none", "refuseSecond(claim, earlier)\n", "\n"],
      ["a settled signature for another purpose blocks", "(isStrict || !row.settled)", "true"],
      [
        "a nonce of another account excludes",
        'earlier.chain === chain && (earlier.account === account || earlier.account === "")',
        "earlier.chain === chain",
      ],
      ["a nonce of another chain excludes", "earlier.chain === chain && (earlier.account", "(earlier.account"],
      [
        "each input must be the same",
        "resources.some((resource) => earlier.resources.includes(resource))",
        "resources.every((resource) => earlier.resources.includes(resource))",
      ],
      [
        "a claim reserves nothing",
        "for (const resource of claim.reserve ?? []) reserve(run, one, orderId, resource)",
        "",
      ],
      [
        "a claim of stale work is accepted",
        "if (cause !== undefined && !hasWork(one, cause, orderId)) throw staleWork(orderId)",
        "",
      ],
      [
        "a settled signature stays settled when it is needed again",
        'if (same?.settled) run("delete from settled_signatures where seq = ?", same.seq)',
        "",
      ],
      ["a claim with stored bytes is still open", "and done.seq is null and raw is null", "and done.seq is null"],
      ["a settled claim is still open", "done.seq is null and raw is null", "raw is null"],
      ["a settled signature counts as unsettled", "resources <> '[]' and done.seq is null", "resources <> '[]'"],
      [
        "the unsettled signatures of all accounts are one list",
        "where chain = ? and account in (?, '') and resources <> '[]'",
        "where chain = ? and ? <> '' and resources <> '[]'",
      ],
      [
        "a transaction of another chain is ours",
        'lower(txid) = lower(?) and chain = ?", txid, chain',
        'lower(txid) = lower(?)", txid',
      ],
      ["the case of a hash decides whether a transaction is ours", "lower(txid) = lower(?)", "txid = ?"],
      [
        "a claim without bytes counts as signed",
        "order_id <> ? and raw is not null and chain",
        "order_id <> ? and chain",
      ],
      [
        "an order is its own rival signer",
        "where digest = ? and order_id <> ? and raw",
        "where digest = ? and order_id = ? and raw",
      ],
    ]),
    ...mistakesIn("src/journal/sqlite-ledger.ts", LEDGER, [
      ["a reversal books the entry again", "insertEntry(sql, reverseOf(live, note),", "insertEntry(sql, live,"],
      ["an entry is reversed twice", "and not exists (select 1 from entries r where r.reverses = e.id) ", ""],
      ["a reversal is not linked to its entry", "reverses: live.id })", "reverses: null })"],
      [
        "a fee is booked with its order and without it",
        "if (at.orderId !== null && entry.key ===",
        "if (at.orderId === null && entry.key ===",
      ],
      ["an entry needs no balance", "assertBalanced(entry)\n", ""],
      ["an account holds its last posting", 'textOf(row["units"])) + units', '"0") + units'],
      ["an entry changes no account", "addToAccount(sql, posting)\n", "\n"],
      [
        "assets share one account",
        'where account = ? and asset = ?", account, asset)\n  const',
        'where account = ? and asset = asset or ? = 0", account, asset)\n  const',
      ],
      ["the end of a period is part of it", "at >= ? and at < ?", "at >= ? and at <= ?"],
      [
        "another order's entry is reversed",
        "where order_id is ? and key = ?",
        "where (order_id is ? or true) and key = ?",
      ],
    ]),
    ...mistakesIn("src/journal/decisions.ts", DECISIONS, [
      ["a decision that led to an order is counted up", "&&\n    !hasOrder(one, last)", ""],
      [
        "a decision that led to an order is deleted",
        "\n  and not exists (select 1 from decision_orders where decision_orders.decision = decisions.id)",
        "",
      ],
      ["old decisions are judged from the last one on", "String(untilSeq)", "String(untilSeq + 1_000)"],
      ["inputs are deleted under another decision", " and not exists (select 1 from decisions where inputs = ?1)", ""],
      ["the inputs of deleted decisions stay", "if (hash !== null) dropInputs", "if (hash === null) dropInputs"],
      ["another configuration counts as the same decision", 'last["config_hash"] === decision.configHash', "true"],
    ]),
    ...mistakesIn(
      "src/journal/back-up-journal.ts",
      ["test/e2e/journal/back-up-journal.test.ts"],
      [
        ["everybody may read a backup", '"wx", 0o600', '"wx", 0o644'],
        ["a damaged copy is a backup", "if (!sound)", "if (sound === null)"],
        ["a backup overwrites an earlier one", "if (existsSync(to)) throw", "if (to === file) throw"],
      ],
    ),
  ],
}
