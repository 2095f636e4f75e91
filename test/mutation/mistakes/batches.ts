import { type MistakesOfRoom, mistakesIn } from "../mistake.ts"

const GROUP = ["src/journal/group-commit.test.ts"]
const WRITE_AHEAD = ["src/journal/write-ahead-log.test.ts"]
const EVM_BATCHES = ["test/unit/chains/evm/batch-reads.test.ts"]
const EVM_TOUCHED = ["test/unit/chains/evm/list-touched-legs.test.ts"]
const SOLANA_BATCHES = ["src/chains/solana/share-reads.test.ts"]
const SOLANA_TOUCHED = ["test/unit/chains/solana/list-touched-legs.test.ts"]
const BITCOIN_TOUCHED = ["test/unit/chains/bitcoin/list-touched-legs.test.ts"]
const STARKNET_TOUCHED = ["test/chains/starknet/list-touched-legs.test.ts"]
const TURNS = ["test/unit/engine/turn-share.test.ts"]
const HEADS = ["test/unit/engine/head-watch.test.ts"]

/** Mistakes in the reads and writes that many orders share: one that is applied in part, to another order, or too early. */
export const batchMistakes: MistakesOfRoom = {
  room: "batches",
  tests: ["src/journal", "src/chains", "test/chains/evm", "test/chains/solana", "test/unit/engine"],
  mistakes: [
    ...mistakesIn("src/journal/group-commit.ts", GROUP, [
      [
        "half of a group is committed before the rest",
        "    count++\n",
        '    count++\n    if (count === 3) db.exec("commit; begin immediate")\n',
      ],
      [
        "the steps of a refused group stay in the file",
        'if (db.isTransaction) db.exec("rollback")\n      end',
        'if (db.isTransaction) db.exec("commit")\n      end',
      ],
      [
        "results are released before the commit of their group",
        "      beforeCommit?.()\n",
        "      waits.end()(null)\n      beforeCommit?.()\n",
      ],
      [
        "only the results of the first step wait for the commit",
        "isOpen ? waits.wait()",
        "isOpen && count <= 1 ? waits.wait()",
      ],
      ["a refused group tells no waiting call", "ended?.reject(failure)", "ended?.resolve()"],
      ["nothing tells that a call waits", "        noteFirst()\n", ""],
      ["a refused group is not counted", "      refused++\n", ""],
    ]),
    ...mistakesIn("src/journal/share-syncs.ts", WRITE_AHEAD, [
      [
        "a sync that had begun before a commit counts for it",
        "(next ?? running)?.promise",
        "(running ?? next)?.promise",
      ],
      ["two syncs run at a time", "sync === null || running !== null ||", "sync === null ||"],
      [
        "a commit during a sync gets none",
        "      begun.resolve()\n",
        "      begun.resolve()\n      next?.resolve()\n      next = null\n",
      ],
    ]),
    ...mistakesIn("src/journal/write-ahead-log.ts", WRITE_AHEAD, [
      ["a failed sync counts as done", "error === null || isClosed ? resolve() : onFailure(error)", "resolve()"],
      ["the database is synced in place of its log", "-wal`", "`"],
      ["a close leaves its last commits unsynced", "        fdatasyncSync(descriptor)\n", ""],
      ["a close keeps quiet about a sync that failed", "        onFailure(error)\n", ""],
      [
        "commits do not wait, though no log is there to sync",
        '?.["journal_mode"] !== "wal") return null',
        '?.["journal_mode"] === "") return null',
      ],
    ]),
    ...mistakesIn("src/journal/durability.ts", WRITE_AHEAD, [
      [
        "results are released before their sync",
        "disk.settled) : disk.settled())",
        "() => undefined) : Promise.resolve())",
      ],
      [
        "the log's acknowledgement counts for this disk too",
        "Promise.all([durableHere(), replication.delivered()])",
        "replication.delivered()",
      ],
    ]),
    ...mistakesIn("src/chains/evm/batch-reads.ts", EVM_BATCHES, [
      [
        "the answers of a batch go to other calls of it",
        "questions[index]?.resolve(answer.result)",
        "questions[questions.length - 1 - index]?.resolve(answer.result)",
      ],
      [
        "half of a batch's answers are applied",
        "answers.forEach(",
        "answers.slice(0, Math.ceil(answers.length / 2)).forEach(",
      ],
      [
        "an error in a batch counts as an answer",
        "questions[index]?.reject(answer.error)",
        "questions[index]?.resolve(null)",
      ],
      [
        "a refused batch is not asked again",
        "if (answers === null) return sendEach(questions)",
        "if (answers === null) return",
      ],
      [
        "only the first call of a batch without an answer fails",
        "of questions) reject(error)",
        "of questions.slice(0, 1)) reject(error)",
      ],
      [
        "calls beyond the first batch are dropped",
        "start < questions.length",
        "start < Math.min(size, questions.length)",
      ],
      ["two questions of one method share an answer", "JSON.stringify([method, params])", "JSON.stringify([method])"],
      ["a call that sends is part of a batch", "return !/^eth_send/.test(method)", 'return method !== ""'],
    ]),
    ...mistakesIn("src/chains/evm/post-rpc.ts", EVM_BATCHES, [
      ["the answers of a batch count in the order in which they come", "byId.get(id)", "answers.data[id]"],
      [
        "a batch that leaves an answer out counts",
        "if (byId.size !== calls.length || answers.data.length !== calls.length) return null\n",
        "",
      ],
    ]),
    ...mistakesIn("src/chains/solana/share-reads.ts", SOLANA_BATCHES, [
      [
        "the accounts of a joint answer go to other questions",
        "value: value[index]",
        "value: value[members.length - 1 - index]",
      ],
      [
        "half of a joint answer is applied",
        "members.forEach(({ resolve }, index)",
        "members.slice(0, Math.ceil(members.length / 2)).forEach(({ resolve }, index)",
      ],
      [
        "accounts that a joint answer leaves out do not exist",
        "z.array(z.unknown()).length(count)",
        "z.array(z.unknown()).max(count)",
      ],
      [
        "accounts beyond the first hundred are dropped",
        "start < members.length",
        "start < Math.min(MOST_ACCOUNTS, members.length)",
      ],
      ["accounts at another slot share a question", "JSON.stringify(params[1]) : null", '"accounts" : null'],
      [
        "only the first account of a question without an answer fails",
        "of members) reject(error)",
        "of members.slice(0, 1)) reject(error)",
      ],
      [
        "an error of a joint question is an answer for each account",
        "        joins = false\n        members.forEach(sendAlone)",
        "        joins = false\n        for (const { resolve } of members) resolve({ context: {}, value: null })",
      ],
    ]),
    ...mistakesIn("src/chains/evm/list-touched-legs.ts", EVM_TOUCHED, [
      ["the block after the last answer is missed", ": since + 1n", ": since + 2n"],
      ["the newest block is missed", "from, to: height })", "from, to: height - 1n })"],
      [
        "the events of one contract alone are listed",
        "assets.flatMap(htlcsOf))]",
        "assets.slice(0, 1).flatMap(htlcsOf))]",
      ],
      [
        "the first endpoint alone can hide an event",
        "answers.flatMap((answer) =>",
        "answers.slice(0, 1).flatMap((answer) =>",
      ],
      [
        "one endpoint without an answer silences the others for touched HTLCs",
        "answers.every(({ ok }) => !ok)",
        "answers.some(({ ok }) => !ok)",
      ],
      ["a long gap is searched from the wrong end", "height - MOST_BLOCKS + 1n", "since + 1n"],
    ]),
    ...mistakesIn("src/chains/solana/list-touched-legs.ts", SOLANA_TOUCHED, [
      [
        "half of the waiting legs are asked for",
        "waiting.filter(hasPlace)",
        "waiting.filter(hasPlace).slice(0, Math.ceil(waiting.length / 2))",
      ],
      [
        "an opened account is reported for another leg",
        "touched.add(query.secretHash)",
        'touched.add(asked[0]?.query.secretHash ?? "")',
      ],
    ]),
    ...mistakesIn("src/chains/starknet/list-touched-legs.ts", STARKNET_TOUCHED, [
      ["a block is missed between two lists of events", ": since + 1n", ": since + 2n"],
    ]),
    ...mistakesIn("src/chains/bitcoin/list-touched-legs.ts", BITCOIN_TOUCHED, [
      [
        "the first of the new blocks is skipped",
        "if (previous === undefined) continue",
        "if (previous === undefined || index === 1) continue",
      ],
      [
        "the rest of a large block is skipped",
        "if (ids.length % IN_ONE_TURN === 0) await clock.turn?.()",
        "if (ids.length > IN_ONE_TURN) continue",
      ],
      [
        "outputs are not compared with the addresses",
        "targets.scripts.get(keyOf(script))",
        "targets.fundings.get(keyOf(script))",
      ],
      [
        "a leg is looked for under the script of another one",
        "add(byScript, keyOf(script), query.secretHash)",
        "add(byScript, keyOf(script), waiting[0]?.query.secretHash ?? query.secretHash)",
      ],
      ["a spend of a leg is missed", "keyOf(fromDisplay(txid))", 'keyOf(Buffer.from(txid, "hex"))'],
      ["a funding that the order has seen is not looked for", "...txidsIn(openedBy), ", ""],
      ["a block needs no proof of its transactions", "if (root === header.merkleRoot)", "if (root !== null)"],
      ["a block counts under the hash of another one", "header?.hash !== hash", "header === null"],
      ["a reorganisation is missed", " || hashes[0] !== first.hash", ""],
      ["a contradiction about a block is ignored", " && agreement.dissent.length === 0", ""],
      [
        "a block that no endpoint gives counts as empty",
        "if (found === null) return null",
        "if (found === null) continue",
      ],
      ["a long gap is read block by block", "height - since > MOST_BLOCKS", "height - since > MOST_BLOCKS * 1_000n"],
      ["blocks are read for ever", "Math.abs(clock.now() - startMs) > LONGEST_MS", "clock.now() < startMs"],
    ]),
    ...mistakesIn("src/chains/bitcoin/read-block.ts", BITCOIN_TOUCHED, [
      ["a block of inner hashes counts as one of transactions", "=== STRIPPED_BYTES_OF_INNER_NODE", "< 0"],
      ["an odd number of transactions has no root", "level[index + 1] ?? left", "level[index + 1] ?? NOTHING"],
    ]),
    ...mistakesIn("src/engine/turn-share.ts", TURNS, [
      ["a result that waits for a later turn is dropped", "queue.shift()?.()", "queue.shift()"],
      ["results are applied in the reverse of their order", "queue.shift()?.()", "queue.pop()?.()"],
      ["one result is applied in each turn", "queue.length > 0 && !isOver()", "queue.length > 0 && isOver()"],
      ["the results of a crowd take one turn", "(queue.length > 0 && !isOver())", "(queue.length > 0)"],
    ]),
    ...mistakesIn(
      "src/engine/turn-share.ts",
      ["src/engine/turn-share.test.ts"],
      [
        [
          "results overtake those that wait",
          "return queue.length === 0 && !isOver() ? null",
          "return !isOver() ? null",
        ],
      ],
    ),
    ...mistakesIn("src/engine/worker.ts", TURNS, [
      [
        "an answer is applied at once, however many came",
        "const later = turns.wait()\n    if (later !== null) await later\n    // A read",
        "turns.wait()\n    // A read",
      ],
    ]),
    ...mistakesIn("src/engine/head-watch.ts", HEADS, [
      [
        "the first order of an answer alone is observed",
        "for (const secretHash of secretHashes) hasten",
        "for (const secretHash of secretHashes.slice(0, 1)) hasten",
      ],
      [
        "an answer makes another order due",
        "hasten(watch, secretHash, orders.get(secretHash))",
        "hasten(watch, secretHash, [...orders.values()][0])",
      ],
      ["an order that waits for depth misses its block", "isWhole && order.waitsForEvent && !head", "isWhole && !head"],
      ["an answer in doubt counts as whole", "isWhole = false, blockMs", "isWhole = true, blockMs"],
      ["a block wakes no order that its answer leaves out", " && !head.unasked.has(secretHash)\n", "\n"],
      [
        "a failed poll counts its blocks as seen",
        "  const since = head.height\n",
        "  const since = head.height\n  head.height = since === null ? null : since + 1n\n",
      ],
    ]),
  ],
}
