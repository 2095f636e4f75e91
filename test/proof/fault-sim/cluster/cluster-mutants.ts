import { ENGINE_MUTANTS, type EngineMutant } from "../engine-mutants.ts"

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
    edits: [
      { file: "src/edges/cluster/lease.ts", find: "} for share`", replace: "} for key share`" },
    ],
    runs: { ...RUNS, lateAppends: true },
  },
  {
    name: "the proof of the lease is cached",
    edits: [
      { file: JOIN, find: UNLESS_PROVEN, replace: "await (cached ??= ask())" },
      {
        file: JOIN,
        find: "type Serve =",
        replace: "let cached: Promise<void> | undefined\n\ntype Serve =",
      },
    ],
    runs: RUNS,
  },
  {
    name: "the lease holds by the machine's clock",
    edits: [
      {
        file: JOIN,
        find: UNLESS_PROVEN,
        replace: "if (clock.now() >= renewedMs + 4_000) await ask()",
      },
      { file: JOIN, find: "type Serve =", replace: "let renewedMs = 0\n\ntype Serve =" },
      {
        file: JOIN,
        find: "    await renewLease(database, lease)\n",
        replace: "    await renewLease(database, lease)\n    renewedMs = kept.clock.now()\n",
      },
    ],
    runs: RUNS,
  },
  {
    name: "an acknowledgement proves the lease however late it is read",
    edits: [{ file: JOIN, find: UNLESS_PROVEN, replace: "if (count <= since) await ask()" }],
    runs: RUNS,
  },
  {
    name: "an append counts before its acknowledgement",
    edits: [
      {
        file: "src/edges/cluster/create-appender.ts",
        find: "queue.push({ entry, done })",
        replace: "queue.push({ entry, done: () => undefined })\n        done()",
      },
    ],
    runs: RUNS,
  },
  {
    name: "an unknown append counts as one that did not happen",
    edits: [
      {
        file: "src/edges/cluster/create-appender.ts",
        find:
          "      if (await settle(parts, entries)) return Number.NEGATIVE_INFINITY\n      " +
          "continue\n",
        replace: "      return Number.NEGATIVE_INFINITY\n",
      },
    ],
    runs: RUNS,
  },
  {
    name: "a former primary acknowledges without its standby",
    edits: [
      {
        file: SERVERS,
        find: "const LAG =",
        replace: "const alone = new Set<object>()\nconst LAG =",
      },
      {
        file: SERVERS,
        find: "      former = old\n",
        replace: "      former = old\n      alone.add(old)\n",
      },
      {
        file: SERVERS,
        find: "if (!synchronous) {",
        replace: "if (!synchronous || alone.has(at)) {",
      },
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
