// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are code with templates.

import { type MistakesOfRoom, mistakesIn } from "../mistake.ts"

const LEASE = ["test/chains/cluster/lease.test.ts"]
const FOLLOW = ["test/chains/cluster/follow-log.test.ts"]
const GROUPS = ["src/journal/replicate-groups.test.ts"]
const SERVERS = ["test/chains/cluster/servers.test.ts"]

/** Mistakes about lease and log, which the tests with real servers of PostgreSQL must notice. */
export const clusterMistakes: MistakesOfRoom = {
  room: "cluster",
  tests: LEASE,
  mistakes: [
    ...mistakesIn("src/cluster/lease.ts", LEASE, [
      ["an append locks for key share, so a take-over does not wait for it", "for share)`", "for key share)`"],
      ["a lease never ends", 'holder = $3 and until > clock_timestamp()"', 'holder = $3"'],
      ["a lease is taken while another holder has it", "where lease.until <= clock_timestamp() returning", "returning"],
      ["a take-over keeps the epoch", "epoch = lease.epoch + 1", "epoch = lease.epoch"],
      ["a frozen process believes an old proof", "if (monotonicMs() - sentMs < Number(leftMs)) return", "return"],
    ]),
    {
      name: "an answer counts to the lease's end",
      file: "src/cluster/lease.ts",
      find: "least(extract(epoch from until - clock_timestamp()) * 1000, 1000)",
      replace: "extract(epoch from until - clock_timestamp()) * 1000",
      tests: FOLLOW,
    },
    {
      name: "a former primary proves the lease by a plain read",
      file: "src/cluster/lease.ts",
      find: "`with ${PROOF} select ${LEFT_MS} from proof`",
      replace: "`select ${LEFT_MS} from ballast.lease where ${HOLDS}`",
      tests: SERVERS,
    },
    ...mistakesIn("src/cluster/log.ts", LEASE, [
      [
        "an append follows a group that the log lacks",
        "where exists (select from ballast.log where treasury = $1 and seq = ($4::bigint[])[1] - 1)",
        "where true",
      ],
      ["the log drops entries that a standby needs", "coalesce(needed.seq, put.seq + 1)", "put.seq + 1"],
      [
        "a standby that is gone keeps the log for ever",
        "seen > clock_timestamp() - $8 * interval '1 millisecond'",
        "$8::bigint > 0",
      ],
    ]),
    ...mistakesIn("src/cluster/create-appender.ts", LEASE, [
      [
        "an append counts before its acknowledgement",
        "queue.push({ entry, done })",
        "queue.push({ entry, done: () => undefined })\n        done()",
      ],
      [
        "an unknown append counts as one that did not happen",
        "        if (await settle(entries)) return Number.NEGATIVE_INFINITY\n        continue\n",
        "        return Number.NEGATIVE_INFINITY\n",
      ],
    ]),
    ...mistakesIn("src/cluster/register-wallets.ts", LEASE, [
      ["the last treasury gets the wallet", "set treasury = wallet.treasury", "set treasury = excluded.treasury"],
    ]),
    ...mistakesIn("src/daemon/join-cluster.ts", FOLLOW, [
      [
        "the proof of the lease is cached",
        "const ask = (): Promise<void> => proveLease(database, lease, host.monotonicMs)\n",
        "const proven = proveLease(database, lease, host.monotonicMs)\n  const ask = (): Promise<void> => proven\n",
      ],
      ["an older acknowledgement proves the lease", "if (count <= since || host", "if (host"],
      [
        "an acknowledgement proves the lease however late",
        "if (count <= since || host.monotonicMs() >= untilMs)",
        "if (count <= since)",
      ],
      ["the lease is taken before the long preparations", "  await parts.prepare()\n", ""],
    ]),
    ...mistakesIn("src/daemon/join-cluster.ts", SERVERS, [
      [
        "a commit without the standby counts",
        "host.openDatabase(() => end(notReplicated()))",
        "host.openDatabase(() => undefined)",
      ],
      [
        "a leader does not notice that the standby is gone",
        "known = judgeServer(known, await readServer(database), isReal)\n    await renewLease",
        "known = await readServer(database)\n    await renewLease",
      ],
      [
        "the last acknowledgement is not written down",
        "async () => journal.noteAcknowledged()",
        "async () => undefined",
      ],
    ]),
    {
      name: "real money goes to one server",
      file: "src/cluster/judge-server.ts",
      find: "isReal || known?.synchronous",
      replace: "known?.synchronous",
      tests: SERVERS,
    },
    {
      name: "the daemon does not tell its cluster about real money",
      file: "src/daemon/start-daemon.ts",
      find: "isReal: isReal(config)",
      replace: "isReal: false",
      tests: ["test/e2e/cluster-real-money.test.ts"],
    },
    ...mistakesIn("src/journal/replay-groups.ts", SERVERS, [
      ["a copied group counts as acknowledged", "(position, null)", "(position, position)"],
    ]),
    ...mistakesIn("src/daemon/join-cluster.ts", FOLLOW, [
      ["a group that the log may lack counts as acknowledged", "if (isKept) remember", "if (isKept || true) remember"],
      ["no group that a standby has copied counts as acknowledged", "if (isKept) remember", "if (!isKept) remember"],
    ]),
    ...mistakesIn(
      "src/cluster/open-cluster-database.ts",
      ["test/chains/cluster/proven-server.test.ts"],
      [
        ["a standby of PostgreSQL is asked", "?.standby === true", "?.standby === 1"],
        ["a server is trusted without a proof", "url.reveal()", 'url.reveal().replace("verify-full", "no-verify")'],
      ],
    ),
    ...mistakesIn(
      "src/cluster/members.ts",
      ["test/chains/cluster/simulated-servers.test.ts"],
      [
        [
          "another group with the same number counts as acknowledged",
          " and hash = $5) AS has",
          " and $5 <> '') AS has",
        ],
      ],
    ),
    ...mistakesIn("src/journal/replicate-groups.ts", GROUPS, [
      [
        "a group counts as acknowledged when it is sent",
        "if (delivered === null) return false\n      writePosition(position, delivered)",
        "writePosition(position, position)",
      ],
    ]),
    ...mistakesIn("src/journal/durability.ts", GROUPS, [
      ["an acknowledgement is written into an open group", "if (steps.isPending()) return\n", ""],
    ]),
    ...mistakesIn("src/journal/sqlite-journal.ts", GROUPS, [
      ["the end of the journal forgets the last acknowledgement", "      durable.noteAcknowledged()\n", ""],
    ]),
    ...mistakesIn("src/daemon/follow-log.ts", SERVERS, [
      ["a log without an acknowledged group is followed", "throw logRestored(treasury, acknowledged.seq)", "return"],
    ]),
    ...mistakesIn("src/daemon/follow-log.ts", FOLLOW, [
      [
        "a journal with other orders is overwritten",
        '  if (isUnknown && local?.hasOrders) throw fatal("cluster.foreign_journal", `${file} ${FOREIGN}`, { file })\n',
        "",
      ],
      [
        "a database without the log begins a new one",
        '    if (seq > 0) throw fatal("cluster.log_missing", `${NO_LOG} ${treasury}`, { treasury, seq })\n',
        "",
      ],
    ]),
  ],
}
