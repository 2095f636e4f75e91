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
 * A part of the bench with rows that miss their goals. `text` has the rows with their floors and
 * where the time goes, for the terminal; `bound` says in words what the rows wait for.
 */
export type MissedPart = { readonly text: string; readonly bound: string | undefined }

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
  return { text, bound: bound === undefined ? undefined : `**${part}**: ${bound}` }
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
garbage collector, which the terminal shows in a row of its own. The floor of the memory is that of
the columns by which limits count an order.`,
  "take-over": `The lease lasts four seconds after its last renewal, and a renewal comes every
second, so three to four of the seconds are the rest of the lease. After it the successor compares
assets and accounts with their chains. Both daemons, both servers of PostgreSQL and the chains share
the processors here.`,
  commands: "The floor is a process of Node that does nothing.",
  sandbox: `The floor asks for each fact once (\`NEEDED\` in bench/parts/sandbox.ts lists them). A
reading of an EVM chain takes two requests: the newest block, on which the endpoints agree, and a
batch about it that also checks it. Local chains make a block a second, and an order takes some
three of them on each chain, so most requests beyond the floor observe the deposit and both HTLCs
again. One from Bitcoin takes some 30, from Starknet 30 to 40, and from Solana 40.`,
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
  const rows = all.filter(({ point, goal }) => point === undefined && goal !== null)
  const left = all.filter((row) => row.left !== undefined)
  const extent = isQuick ? "This was a quick run, with fewer orders than the full one. " : ""
  const bounds = missedParts.flatMap(({ bound }) => bound ?? [])
  return `# Performance
\`npm run bench -- --write-docs\` writes this page. Do not edit it by hand.

${countGoals(rows)} ${extent}Other work on the machine makes most rows worse.

| measure | measured | floor | with two endpoints | its floor | goal | met |
|---|---|---|---|---|---|---|
${rows.map(toLine).join("\n")}

## Without a goal
These goals have left the table: [ADR 56](adr/0056-goals-that-left.md) has the profile behind each,
and why the rest is not worth its price.

| measure | measured | floor | with two endpoints | its floor | former goal |
|---|---|---|---|---|---|
${left.map(toCells).join("\n")}

## How to read it
- The real engine runs with its journal on disk. Chains and service answer from maps, and signatures
  cost as much as real ones. The rows of \`sandbox\` and \`daemon\` run whole processes, the first
  with local chains; those of \`polls\` have simulated time.
- Each row is measured with one endpoint a chain, and again with two that must agree
  ([ADR 22](adr/0022-agreement.md)). Both must meet the goal. Parts that ask no node run once.
- The floor is the best value that raw work alone allows on this machine.
- A goal with a factor is for a machine on which a fixed piece of work (signatures, texts, SQLite)
  takes so many times less than it took here, in the same process and minute.
- Real nodes over the internet are not measured, nor endpoints that contradict each other, lag or
  fall silent one at a time.
- The terminal also shows the rows without a goal, and profiles of the parts that miss theirs.
  [The bench's README](../bench/README.md) has the method of each part.

## With the number of orders in flight
![The time of a tick, a reconciliation and an admission, from one order in flight to a hundred
thousand](pictures/in-flight.svg)

The first tick after a start decodes each open order once. With real nodes a tick also asks them
about each open order, and gives up after 20 seconds: the rules then wait.

## With the number of assets
![The time of needs and routes, and of the plan of least cost, from two assets to
fifty](pictures/assets.svg)

The plan of many assets is cut off after a while and keeps the best one found so far; the time is
the solver's, in its own thread.

## Beside others
The same swaps on the same fakes, many at once. The bare script makes the calls and keeps nothing;
DBOS keeps the result of each call in PostgreSQL, whose own processor time is not counted. Neither
checks what it signs. The published client stands beside the rows of each family, as their floor.

| program | orders a second | processor time of an order | beside Ballast |
|---|---|---|---|
${peersOf(all).join("\n")}

## Where the time of an order goes
A process with 256 orders at once (SQLite's share includes waits for the disk):
${listShares(busy.places, MOST_PLACES)}.

## Why rows miss their goals
${bounds.length === 0 ? "None does." : bounds.map(toItem).join("\n")}
`
}

function peersOf(rows: readonly Row[]): readonly string[] {
  const names = [...new Set(rows.flatMap(({ peer }) => peer ?? []))]
  const of = (name: string): readonly Row[] => rows.filter(({ peer }) => peer === name)
  const [ours] = of(names[0] ?? "")
  return names.map((name) => {
    const [rate, time] = of(name)
    if (rate === undefined || time === undefined || ours === undefined) return ""
    const share = `${(rate.value / ours.value).toFixed(2)} ×`
    return `| ${[name, formatValue(rate), formatValue(time), share].join(" | ")} |`
  })
}

function toItem(text: string): string {
  return `- ${text.replaceAll("\n", "\n  ")}`
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
  return `${toCells(row)} ${isMet(row) ? "yes" : "no"} |`
}

function toCells(row: Row): string {
  const values = [formatValue(row), formatFloor(row), formatTwo(row), formatFloorOfTwo(row)]
  return `| ${[row.what, ...values, formatGoal(row)].join(" | ")} |`
}
