import { formatGoal, formatValue, isMet, type Row } from "./row.ts"

/** The text of docs/PERFORMANCE.md. `isQuick`: the run had fewer orders. */
export function performancePage(rows: readonly Row[], isQuick: boolean): string {
  const met = rows.filter((row) => row.goal !== null && isMet(row)).length
  const goals = rows.filter(({ goal }) => goal !== null).length
  return `# Performance
\`npm run bench -- --write-docs\` writes this page. Do not edit it by hand.

${met} of ${goals} goals are met. ${isQuick ? "This was a quick run, with fewer orders than the full one. " : ""}Other work on the machine makes most rows worse.

| measure | measured | goal | met |
|---|---|---|---|
${rows.map(toLine).join("\n")}

## How to read it
- The bench runs the real engine with its journal on disk. Chains and service answer from maps, and signatures cost what real ones cost
  (\`bench/instant-world.ts\`).
- The bare script makes the same calls and signatures without a journal and without checks. It cannot go on after a crash.
- Other work on the machine makes every time worse, processor time too. Bytes, commits and requests hardly depend on it.
- A row without a goal explains others.

## What bounds a row
- **Orders a second** follow from the processor time of an order: one core does nearly all of the work.
- **The share of the bare script** with slow calls: signatures of one account are made one after another, and each claim is on disk before its
  signature. Most orders wait there. The processor time of an order is the next bound: the script only waits, and Ballast computes.
- **Written bytes**: each step of an order writes its whole snapshot again, and SQLite writes whole pages.
`
}

function toLine(row: Row): string {
  const met = row.goal === null ? "" : isMet(row) ? "yes" : "no"
  return `| ${row.what} | ${formatValue(row)} | ${formatGoal(row)} | ${met} |`
}
