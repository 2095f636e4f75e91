import { ENGINE_MUTANTS, type EngineMutant, edit } from "../engine-mutants.ts"

/**
 * A mistake about lease and log, or one of the engine's, and the checkers that may find it with two
 * daemons.
 */
const RUNS = { cluster: true } as const
const SERVERS = "test/proof/fault-sim/cluster/simulated-servers.ts"
const JOIN = "src/app/daemon/cluster/join-cluster.ts"
const UNLESS_PROVEN = "if (count <= since || host.monotonicMs() >= untilMs) await ask()"

/**
 * Mistakes that the two daemons and their log must show. The first ones are in `src/edges/cluster`,
 * the next ones are servers that Ballast must not be used with, and the last ones are mistakes of
 * the engine, which one daemon alone shows too.
 */
export const CLUSTER_MUTANTS: readonly EngineMutant[] = [
  {
    name: "an append locks for key share",
    edits: [edit("src/edges/cluster/lease.ts", "} for share`", "} for key share`")],
    runs: { ...RUNS, lateAppends: true },
  },
  {
    name: "the proof of the lease is cached",
    edits: [
      edit(JOIN, UNLESS_PROVEN, "await (cached ??= ask())"),
      edit(JOIN, "type Serve =", "let cached: Promise<void> | undefined\n\ntype Serve ="),
    ],
    runs: RUNS,
  },
  {
    name: "the lease holds by the machine's clock",
    edits: [
      edit(JOIN, UNLESS_PROVEN, "if (clock.now() >= renewedMs + 4_000) await ask()"),
      edit(JOIN, "type Serve =", "let renewedMs = 0\n\ntype Serve ="),
      edit(
        JOIN,
        "    await renewLease(database, lease)\n",
        "    await renewLease(database, lease)\n    renewedMs = kept.clock.now()\n",
      ),
    ],
    runs: RUNS,
  },
  {
    name: "an acknowledgement proves the lease however late it is read",
    edits: [edit(JOIN, UNLESS_PROVEN, "if (count <= since) await ask()")],
    runs: RUNS,
  },
  {
    name: "an append counts before its acknowledgement",
    edits: [
      edit(
        "src/edges/cluster/create-appender.ts",
        "queue.push({ entry, done })",
        "queue.push({ entry, done: () => undefined })\n        done()",
      ),
    ],
    runs: RUNS,
  },
  {
    name: "an unknown append counts as one that did not happen",
    edits: [
      edit(
        "src/edges/cluster/create-appender.ts",
        "      if (await settle(parts, entries)) return Number.NEGATIVE_INFINITY\n      " +
          "continue\n",
        "      return Number.NEGATIVE_INFINITY\n",
      ),
    ],
    runs: RUNS,
  },
  {
    name: "a former primary acknowledges without its standby",
    edits: [
      edit(SERVERS, "const LAG =", "const alone = new Set<object>()\nconst LAG ="),
      edit(SERVERS, "      former = old\n", "      former = old\n      alone.add(old)\n"),
      edit(SERVERS, "if (!synchronous) {", "if (!synchronous || alone.has(at)) {"),
    ],
    runs: RUNS,
  },
  ...[
    "claims are cleaned by age",
    "a refund is signed after a reveal",
    "a secret is told without its payout",
  ].map((name) => {
    const known = ENGINE_MUTANTS.find((mutant) => mutant.name === name)
    if (known === undefined) throw new Error(`no mutant ${name}`)
    return { ...known, runs: { ...known.runs, ...RUNS } }
  }),
]

/** The same mistake in runs with hundreds of orders. */
export function asBusy(mutant: EngineMutant): EngineMutant {
  return { ...mutant, runs: { ...mutant.runs, mode: "busy" } }
}
