import type { Share, Shares } from "./read-profile.ts"
import {
  formatFloor,
  formatFloorOfTwo,
  formatGoal,
  formatTwo,
  formatValue,
  isMet,
  meetsGoal,
  type Row,
} from "./row.ts"

/** Smaller shares of the time are not listed. */
const LEAST_SHARE = 0.02
const MOST_PLACES = 10
const MOST_FUNCTIONS = 8

/**
 * A part of the bench with rows that miss their goals: the rows with their floors, and where its
 * time goes.
 */
export type MissedPart = { readonly text: string }

export function missedPart(
  part: string,
  rows: readonly Row[],
  { places, functions }: Shares,
): MissedPart {
  const lines = rows.map((row) => {
    const two =
      row.two === undefined
        ? ""
        : `; with two endpoints ${formatTwo(row)}${noteFloor(formatFloorOfTwo(row))}`
    return (
      `- ${row.what}: ${formatValue(row)}${noteFloor(formatFloor(row))}${two}; goal ` +
      `${formatGoal(row)}`
    )
  })
  const bound = BOUNDS[part]
  const end = bound === undefined ? "" : `\n\n${bound}`
  const text = `### ${part}
${lines.join("\n")}

Own time by room and library: ${listShares(places, MOST_PLACES)}.

Own time by function: ${listShares(functions, MOST_FUNCTIONS)}.${end}`
  return { text }
}

function noteFloor(floor: string): string {
  return floor === "" ? "" : ` (floor ${floor})`
}

function listShares(shares: readonly Share[], most: number): string {
  const largest = shares.filter(({ share }) => share >= LEAST_SHARE).slice(0, most)
  return largest.length === 0
    ? "no profile"
    : largest.map(({ name, share }) => `${name} ${(share * 100).toFixed(0)} %`).join("; ")
}

/** The bound behind the rows of a part, in words. */
const BOUNDS: { readonly [part: string]: string } = {
  throughput: `The floor of an order is the processor time of a bare swap (the same calls and
signature) and of raw inserts of the same bytes; that of the orders a second is one core that does
nothing else. With slow calls the floor is the longer one of that core's time and of the calls that
must follow one another. Between floor and value lie the decisions: ten steps of the machine, each
checked, encoded and written, thirteen calls that are queued and bounded in time, and the limits.
With 20 ms a call the script only waits: it needs half a second for 512 orders, so even at the goal
of 3 ms an order, which is one and a half seconds of one core, the share would be a third.`,
  cluster: `The floor of an order is its time on one machine and, after it, the same appends of the
same bytes by a plain client, one after another: each waits for the disk of two servers, which here
share their processors with the daemon. An order has several appends in a row, because each call
outside waits for its claim in the log; many orders share them. Between floor and value are the
changesets, the client's own work and the renewals of the lease.`,
  tokens:
    "A token's order signs two transactions, and reads the allowance before. The first " +
    "sixteen orders of a process also run code that is not compiled yet.",
  "in-flight": `The floor of a tick is the fakes' own time for the question about each order's
payout, by each endpoint and without a comparison. The longest block is often one pause of the
garbage collector: the row beside it shows the longest one. The floor of the memory is that of the
columns by which limits count an order.`,
  "take-over": `The lease lasts four seconds after its last renewal, and a renewal comes every
second, so three to four of the seconds are the rest of the lease. After it the successor compares
assets and accounts with their chains. Both daemons, both servers of PostgreSQL and the chains share
the processors here.`,
  commands: "The floor is a process of Node that does nothing.",
  sandbox: `The row asks for no processor time, so the rows beside it say more than the profile. The
floor asks for each fact once (\`NEEDED\` in bench/parts/sandbox.ts lists them). A reading of an EVM
chain takes two requests: the newest block, on which the endpoints agree, and a batch about it that
also checks it. Local chains make a block a second, and an order takes some three of them on each
chain, so most requests beyond the floor observe the deposit and both HTLCs again before the payout
is there: two for the deposit, and four or more for both HTLCs.`,
  daemon: `The floor is a process that loads the libraries of the configured families, and nothing
of Ballast. A start has more in a row: the configuration, then the signer, a second process that
loads the libraries too, while the daemon loads its own, and then the comparison of each asset with
its chain. No chain answers here, so that comparison tries again for a third of a second.`,
}

type Page = {
  readonly rows: readonly Row[]
  readonly missedParts: readonly MissedPart[]
  /** Where the time of a busy process goes. */
  readonly busy: Shares
  /** The run had fewer orders. */
  readonly isQuick: boolean
}

/** The text of docs/PERFORMANCE.md. */
export function performancePage({ rows: all, missedParts, busy, isQuick }: Page): string {
  const rows = all.filter(({ point }) => point === undefined)
  const extent = isQuick ? "This was a quick run, with fewer orders than the full one. " : ""
  const missed = missedParts.map(({ text }) => text.replaceAll(/(?<=[^.\n])\n(?=[a-z])/g, " "))
  return `# Performance
\`npm run bench -- --write-docs\` writes this page. Do not edit it by hand.

${countGoals(rows)} ${extent}Other work on the machine makes most rows worse.

| measure | measured | floor | with two endpoints | its floor | goal | met |
|---|---|---|---|---|---|---|
${rows.map(toLine).join("\n")}

## How to read it
- The bench runs the real engine with its journal on disk. Chains and service answer from maps, and
  signatures cost as much as real ones (\`bench/instant-world.ts\`).
- The bench measures each row with one endpoint a chain and again with two. A goal is met only if
  both values meet it.
- With two endpoints each read asks both at the same time, and
  \`src/edges/nodes/quorum/agree-on.ts\` compares the answers, as it does for the families. A
  transaction goes to both. The service is asked once, so
  requests to it do not grow. Goals for requests to nodes are twice as high.
- The code of a family around that comparison (its requests, the choice of a block, decoding) runs
  only in the rows of \`endpoints\` and \`sandbox\`. In \`daemon\` each chain has two addresses, of
  which none answers.
- \`floor\`, \`report\` and \`commands\` ask no node, and \`take-over\` waits for a lease most of
  its time, so they have no second value.
- The bare script makes the same calls and signatures without a journal and without checks, and
  always asks one endpoint. It cannot go on after a crash.
- Other work on the machine makes every time worse, processor time too. Bytes, commits and requests
  hardly depend on it.
- The rows of \`polls\` have simulated time, so the machine does not matter. An order is watched
  from its deposit to its payout; blocks come as often as on the chain. Polls are questions to the
  service, so a second endpoint does not add any.
- The rows of \`sandbox\` and \`daemon\` run whole processes, the first with real local chains.
- The memory of an order in flight is measured from 2 000 orders on. Until then the caches of the
  orders used last fill up, at most some 1 500 orders with their texts; a row beside it has their
  memory.
- A row without a goal explains others. The floor is the best value that raw work alone allows on
  this machine.

## With the number of orders in flight
![The time of a tick, a reconciliation and an admission, from one order in flight to a hundred
thousand](pictures/in-flight.svg)

The first tick after a start decodes each open order once. With real nodes a tick also asks them
about each open order, so the nodes bound it, and it gives up after 20 seconds: the rules then wait.
The plot has one endpoint a chain.

## Where the time of an order goes
A process with 256 orders at once, by time (SQLite's share includes waits for the disk):

| place | share |
|---|---|
${busy.places
  .filter(({ share }) => share >= LEAST_SHARE)
  .map(({ name, share }) => `| ${name} | ${(share * 100).toFixed(0)} % |`)
  .join("\n")}

## Rows that miss their goals
The bench runs each of these parts once more, with fewer orders, for the profile.

${missed.length === 0 ? "None." : missed.join("\n\n")}

## What bounds a row
- **Orders a second** follow from the processor time of an order: one core does nearly all of the
  work. The table above shows its parts. An order takes 13 calls (22 with two endpoints, because 9
  of them go to nodes), 10 steps of its machine and a signature; each step is decided, encoded and
  written, and each call is queued, bounded in time and checked. The rows of the floor show what
  calls and signatures (the bare swap) and SQLite alone need.
- **The share of the bare script** with slow calls: signatures of one account are made one after
  another, and each claim is on disk before its signature. Most orders wait there. The processor
  time of an order is the next bound: the script only waits, and Ballast computes.
- **Written bytes**: a step writes its event with the change of the snapshot, and the order's row
  ([ADR 36](adr/0036-snapshot-changes.md)). SQLite writes whole pages, first into its log and then
  into the file, so the number of commits counts: more orders in a commit share its pages.
- **Tokens**: a deposit is sent together with its approval ([ADR 35](adr/0035-approval-pairs.md));
  gasless deposits use an allowance one after another.
- **Polls to Bitcoin**: an order is observed at least every \`poll.max\`, so a wait of ten minutes
  for a block takes ten polls with the usual minute. With 16 waiting orders or more, one read of a
  block names those that it touched, in place of an observation of each ([ADR
  39](adr/0039-block-scan.md)).
- **Commands and the start of the daemon** are mostly loading: the built program is a few files
  ([ADR 38](adr/0038-built-program.md)), and their code must still be read, linked and run.

## What is not measured
- Real nodes over the internet. The rows of \`endpoints\` run the code of three families against
  nodes of the same process that answer at once. With real nodes agreement takes as long as the
  slowest endpoint that must agree ([ADR 22](adr/0022-agreement.md)).
- Endpoints that contradict each other, lag or fall silent one at a time. Both endpoints of the
  bench always show the same chain; other answers end the run.
`
}

function countGoals(rows: readonly Row[]): string {
  const one = rows.filter(({ goal }) => goal !== null)
  const two = one.flatMap((row) => row.two ?? [])
  const metByOne = one.filter(meetsGoal).length
  const metByTwo = two.filter(meetsGoal).length
  const rest = one.length - two.length
  return (
    `${one.filter(isMet).length} of ${one.length} goals are met: ${metByOne} with one endpoint ` +
    `a chain, and ${metByTwo} of ${two.length} again with two that must ` +
    `agree${rest === 0 ? "" : ` (the other ${rest} are measured once)`}.`
  )
}

function toLine(row: Row): string {
  const met = row.goal === null ? "" : isMet(row) ? "yes" : "no"
  const values = [formatValue(row), formatFloor(row), formatTwo(row), formatFloorOfTwo(row)]
  return `| ${[row.what, ...values, formatGoal(row), met].join(" | ")} |`
}
