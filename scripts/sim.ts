import { parseArgs } from "node:util"
import { ADVERSARY_MUTANTS } from "../test/proof/fault-sim/adversary/adversary-mutants.ts"
import { formatAttackProgress, formatBills } from "../test/proof/fault-sim/adversary/bill.ts"
import { type KeptSeed, openKeptSeeds } from "../test/proof/fault-sim/adversary/kept-seeds.ts"
import { PRICES } from "../test/proof/fault-sim/adversary/prices.ts"
import { asBusy, CLUSTER_MUTANTS } from "../test/proof/fault-sim/cluster/cluster-mutants.ts"
import { FAULT_KINDS } from "../test/proof/fault-sim/fault-kinds.ts"
import {
  formatMutatedEngines,
  MAY_PASS,
  tryMutatedEngines,
} from "../test/proof/fault-sim/mutated-engines.ts"
import { PLANTED_BUGS } from "../test/proof/fault-sim/planted-bugs.ts"
import { compareRestarts } from "../test/proof/fault-sim/restart-equivalence.ts"
import { asCrowded, ROUTE_MUTANTS } from "../test/proof/fault-sim/route-mutants.ts"
import { ROUTES } from "../test/proof/fault-sim/routes.ts"
import { runInWorkers } from "../test/proof/fault-sim/run-in-workers.ts"
import {
  findPlantedBugs,
  formatBurns,
  formatCollusion,
  formatFailure,
  formatProgress,
  formatTotals,
  isEnough,
  runSeeds,
  runsOf,
} from "../test/proof/fault-sim/run-seeds.ts"
import { shrink } from "../test/proof/fault-sim/shrink.ts"
import { formatCommand, type SimCase } from "../test/proof/fault-sim/sim-case.ts"
import { createSimThread } from "../test/proof/fault-sim/sim-thread.ts"
import { type SimResult, simulate } from "../test/proof/fault-sim/simulate.ts"

const USAGE = `npm run sim -- [--seed S | --seeds A..B | --fresh SECONDS] [action] [limits]

  --workers N        number of threads (2); it does not change the totals
  --table            print the last events of every seed, not only of failing seeds
  --shrink           find a smaller case of a failing seed and the command that repeats it
  --planted          list each planted bug with the seeds until a checker finds it
  --directed         direct every seed at short-lived states, not only every second one
  --honest           only honest nodes, which lag, prune, fail and reorganise, at the shipped
                     depths, and an honest service
  --own-secrets      Ballast chooses the secrets; service and solver have a scheme for each order
  --routes           an issuer burns and mints beside the service: its attestation service lies,
                     strangers copy burns and take mints; with --orders N, as many seeds as open
                     N orders of its route together
  --silent           with --routes: the issuer's attesters sign nothing more from some turn on
  --lease            each call of the engine asks for the treasury's lease first
  --cluster          two daemons share the treasury, with one log in two servers; each turn may
                     end a leader
  --busy             with --cluster: hundreds of orders for each seed and a take-over for about
                     each tenth order; with --orders N, as many seeds as open N orders with N / 10
                     take-overs together
  --asynchronous     with --cluster: commits do not wait for the second server
  --late-appends     with --cluster: leaders die while a server carries out their append, which
                     ends only after their lease
  --mutated-engines  list each mutated engine with the seeds until the trace checker rejects it
  --collusion        service, solver and one of three endpoints lie together; with --orders N, as
                     many seeds as open N orders together
  --means "A,B"      with --adversary: only these of his means, wherever they are of use; all are
                     in test/proof/fault-sim/adversary/prices.ts
  --pair "FROM,TO"   with --adversary: all orders are of this pair of assets
  --crowded          with --adversary or --routes: a hundred orders a seed, for many thousands
  --kill-each-commit the process dies after each commit, to the end of the run
  --adversary        an adversary spends ten times the worth of each order, to blind, flood,
                     out-price and delay; with --own-secrets, service and solver are his; with
                     --orders N, as many seeds as open N orders together; with --planted or
                     --mutated-engines, his lists
  --state FILE       with --adversary or --routes: keeps each seed in a line of this file, and goes
                     on behind those that it has
  --max-service-secret N  the service chooses the secrets, and orders above N units are refused
  --held-minutes N   let held orders continue by themselves for N quiet minutes (20)
  --endpoints 2      with --collusion: one of two endpoints lies, until the quiet time at the end
  --amnesia          compare with an engine that restarts after every commit
  --hash             print the hash of the event log of a seed

  --orders N  --rules N  --steps N  --faults-from TURN  --only "fault,fault"
  --bug "name of a planted bug"`

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    seeds: { type: "string" },
    fresh: { type: "string" },
    orders: { type: "string" },
    rules: { type: "string" },
    steps: { type: "string" },
    "faults-from": { type: "string" },
    only: { type: "string" },
    bug: { type: "string" },
    table: { type: "boolean" },
    shrink: { type: "boolean" },
    planted: { type: "boolean" },
    amnesia: { type: "boolean" },
    directed: { type: "boolean" },
    hash: { type: "boolean" },
    honest: { type: "boolean" },
    collusion: { type: "boolean" },
    adversary: { type: "boolean" },
    busy: { type: "boolean" },
    endpoints: { type: "string" },
    state: { type: "string" },
    "max-service-secret": { type: "string" },
    "held-minutes": { type: "string" },
    "own-secrets": { type: "boolean" },
    routes: { type: "boolean" },
    silent: { type: "boolean" },
    lease: { type: "boolean" },
    cluster: { type: "boolean" },
    asynchronous: { type: "boolean" },
    "late-appends": { type: "boolean" },
    "kill-each-commit": { type: "boolean" },
    crowded: { type: "boolean" },
    means: { type: "string" },
    pair: { type: "string" },
    "mutated-engines": { type: "boolean" },
    workers: { type: "string" },
  },
})
const range = /^(\d+)(?:\.\.(\d+))?$/.exec(values.seeds ?? values.seed ?? "1..100")
const from = Number(range?.[1])
const to = Number(range?.[2] ?? range?.[1])
const isMany =
  values.collusion === true ||
  values.busy === true ||
  values.adversary === true ||
  values.routes === true
const only = values.only?.split(",").filter((name) => name !== "")
const means = values.means?.split(",").filter((name) => name !== "")
const pair = values.pair?.split(",")
const isKnown = (names: readonly string[], name: string): boolean => names.includes(name)
const counts = [
  values.orders,
  values.rules,
  values.steps,
  values["faults-from"],
  values.fresh,
  values.workers,
  values["held-minutes"],
].filter((n) => n != null)
const problem =
  range === null || to < from || !counts.every((count) => /^\d+$/.test(count))
    ? "a number is missing"
    : values.endpoints !== undefined && !["2", "3"].includes(values.endpoints)
      ? `${values.endpoints} endpoints`
      : (only?.find((name) => !isKnown(FAULT_KINDS, name)) ??
        pair?.find((name) => !isKnown(ROUTES.flat(), name)) ??
        means?.find((name) => !isKnown(Object.keys(PRICES), name)) ??
        (values.bug !== undefined && !isKnown(PLANTED_BUGS, values.bug) ? values.bug : null))

if (problem === null) await run()
else {
  console.error(`${USAGE}\n\nNot understood: ${problem}`)
  process.exitCode = 64
}

async function run(): Promise<void> {
  if (values.planted) return searchPlanted()
  if (values["mutated-engines"]) return rejectMutants()
  if (values.amnesia) return compare()
  if (values.hash) return console.log((await simulate(caseOf(from))).hash)
  if (values.shrink) return shrinkSeed()
  if ((values.adversary || values.routes) && values.seed === undefined) return keepMany()
  if (isMany && values.seed === undefined) return runMany()
  if (values.fresh !== undefined) return explore(Number(values.fresh) * 1_000)
  const startMs = performance.now()
  const results = await runInWorkers(
    { from, to, caseOf },
    Math.max(1, Number(values.workers ?? 2)),
    report,
  )
  finish(results, performance.now() - startMs)
}

function caseOf(seed: number): SimCase {
  return {
    seed,
    ...(values.directed ? { directed: true } : {}),
    ...(values["own-secrets"] ? { ownSecrets: true } : {}),
    ...(values.routes ? { routes: true } : {}),
    ...(values.silent ? { silent: true } : {}),
    ...(values.lease ? { lease: true } : {}),
    ...(values.cluster ? { cluster: true } : {}),
    ...(values.asynchronous ? { asynchronous: true } : {}),
    ...(values["late-appends"] ? { lateAppends: true } : {}),
    ...(values["kill-each-commit"] ? { killsEachCommit: true } : {}),
    ...(values.crowded ? { crowded: true } : {}),
    ...(values.honest ? { mode: "honest" as const } : {}),
    ...(values.collusion ? { mode: "collusion" as const } : {}),
    ...(values.busy ? { mode: "busy" as const } : {}),
    ...(values.adversary ? { mode: "adversary" as const } : {}),
    ...(values["max-service-secret"] === undefined
      ? {}
      : { maxServiceSecret: Number(values["max-service-secret"]) }),
    ...(values["held-minutes"] === undefined
      ? {}
      : { heldMinutes: Number(values["held-minutes"]) }),
    ...(values.endpoints === undefined ? {} : { endpoints: values.endpoints === "2" ? 2 : 3 }),
    // In a range with many orders it is the number of all orders.
    ...(values.orders === undefined || (isMany && values.seed === undefined)
      ? {}
      : { orders: Number(values.orders) }),
    ...(values.rules === undefined ? {} : { rules: Number(values.rules) }),
    ...(values.steps === undefined ? {} : { steps: Number(values.steps) }),
    ...(values["faults-from"] === undefined ? {} : { faultsFrom: Number(values["faults-from"]) }),
    // CAST: checked against the list above.
    ...(only === undefined ? {} : { only: only as SimCase["only"] & {} }),
    // CAST: as above.
    ...(means === undefined ? {} : { means: means as SimCase["means"] & {} }),
    // CAST: as above.
    ...(pair === undefined ? {} : { pair: pair as unknown as SimCase["pair"] & {} }),
    // CAST: as above.
    ...(values.bug === undefined ? {} : { bug: values.bug as SimCase["bug"] & {} }),
  }
}

function report(result: SimResult): void {
  if (result.violations.length > 0) console.log(`${formatFailure(result, caseOf(result.seed))}\n`)
  else if (values.table) console.log(result.table)
}

function finish(results: readonly SimResult[], wallMs: number): void {
  console.log(formatTotals(results, wallMs))
  if (results.some(({ violations }) => violations.length > 0)) process.exitCode = 1
}

/**
 * Runs the seeds of the range; with `--orders`, seeds from the first one on until they have opened
 * so many orders. Busy seeds tell how far they are.
 */
async function runMany(): Promise<void> {
  const startMs = performance.now()
  const wanted = values.orders === undefined ? null : Number(values.orders)
  const isOver = (results: readonly SimResult[]): boolean =>
    wanted !== null && isEnough(results, wanted, values.cluster ? wanted / 10 : 0)
  const range = { from, to: wanted === null ? to : from + wanted, caseOf, isOver }
  const known: SimResult[] = []
  const results = await runInWorkers(range, Math.max(1, Number(values.workers ?? 2)), (result) => {
    report(result)
    known.push(result)
    if (values.busy) console.log(formatProgress(known))
  })
  finish(results, performance.now() - startMs)
  if (values.collusion) console.log(formatCollusion(results))
}

/**
 * As `runMany`, for the seeds of a spending adversary or of an issuer, which can take days. Of an
 * issuer, the orders of its route count.
 */
async function keepMany(): Promise<void> {
  const startMs = performance.now()
  const wanted = values.orders === undefined ? null : Number(values.orders)
  const { seeds, add } = openKeptSeeds(values.state ?? null)
  const kept = (): readonly KeptSeed[] => [...seeds.values()]
  const count = ({ orders, burns }: KeptSeed): number => burns?.orders ?? orders
  const isOver = (): boolean =>
    wanted !== null && kept().reduce((sum, seed) => sum + count(seed), 0) >= wanted
  const isKnown = (seed: number): boolean => seeds.has(seed)
  const range = { from, to: wanted === null ? to : from + wanted, caseOf, isKnown, isOver }
  const format = values.routes ? formatBurns : formatAttackProgress
  const results = await runInWorkers(range, Math.max(1, Number(values.workers ?? 2)), (result) => {
    report(result)
    add(result)
    if (seeds.size % 10 === 0) console.log(format(kept()))
  })
  finish(results, performance.now() - startMs)
  if (kept().some(({ violations }) => violations.length > 0)) process.exitCode = 1
  console.log(format(kept()))
  if (values.adversary) console.log(formatBills(kept()))
}

/** Tries new seeds: the first one is the current Unix time in seconds. */
async function explore(wallMs: number): Promise<void> {
  const base = Math.floor(Date.now() / 1_000)
  const startMs = performance.now()
  const isOver = (): boolean => performance.now() - startMs > wallMs
  const results = await runSeeds({ from: base, to: base + 100_000, caseOf, isOver }, report)
  console.log(`new seeds: npm run sim -- --seeds ${base}..${base + results.length - 1}`)
  finish(results, performance.now() - startMs)
}

async function searchPlanted(): Promise<void> {
  const bugs = PLANTED_BUGS.filter((bug) => (values.bug ?? bug) === bug).filter(
    (bug) => values.adversary !== true || runsOf(bug).mode === "adversary",
  )
  const width = Math.max(...bugs.map((bug) => bug.length))
  console.log(`${"planted bug".padEnd(width)} | seeds | found by`)
  const waiting = [...bugs]
  const search = async (): Promise<void> => {
    const thread = createSimThread()
    for (let bug = waiting.shift(); bug !== undefined; bug = waiting.shift()) {
      const [find] = await findPlantedBugs(from, Math.max(1, to - from + 1), [bug], thread.simulate)
      const found = find?.seeds ?? "none"
      console.log(
        `${bug.padEnd(width)} | ${String(found).padStart(5)} | ${find?.checker ?? "NOT FOUND"}`,
      )
      if (find?.seeds == null) process.exitCode = 1
    }
    await thread.close()
  }
  await Promise.all(Array.from({ length: Math.max(1, Number(values.workers ?? 2)) }, search))
}

/** Prints the table of test/proof/RESULTS.md. */
async function rejectMutants(): Promise<void> {
  const range = { from, seeds: Math.max(1, to - from + 1) }
  const rows = values.cluster
    ? await tryMutatedEngines(
        { ...range, byAny: true },
        values.busy ? CLUSTER_MUTANTS.map(asBusy) : CLUSTER_MUTANTS,
      )
    : values.routes
      ? await tryMutatedEngines(
          { ...range, byAny: true, compares: true },
          values.crowded ? ROUTE_MUTANTS.map(asCrowded) : ROUTE_MUTANTS,
        )
      : values.adversary
        ? await tryMutatedEngines({ ...range, byAny: true, compares: true }, ADVERSARY_MUTANTS)
        : await tryMutatedEngines(range)
  console.log(values.cluster ? rows : formatMutatedEngines(rows))
  if (rows.filter(({ seeds }) => seeds === null).length > MAY_PASS) process.exitCode = 1
}

async function shrinkSeed(): Promise<void> {
  const shrunk = await shrink(caseOf(from))
  if (shrunk === null) return console.log(`seed ${from} does not fail`)
  console.log(
    `"${shrunk.checker}" still fails, after ${shrunk.runs} runs:\n${formatCommand(shrunk.found)}`,
  )
  process.exitCode = 1
}

async function compare(): Promise<void> {
  const orders: number[] = []
  for (let seed = from; seed <= to; seed++) {
    const { differences, orders: compared } = await compareRestarts(seed)
    orders.push(compared)
    if (differences.length === 0) continue
    console.log(`seed ${seed} ends in another way:\n${differences.join("\n")}`)
    process.exitCode = 1
  }
  const total = orders.reduce((sum, count) => sum + count, 0)
  console.log(
    `${orders.length} seeds, ${total} orders, each run twice: with one engine, and with a ` +
      "restart after every commit",
  )
}
