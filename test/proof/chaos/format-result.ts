import { formatTable } from "#cli/format/table.ts"
import type { ChaosResult } from "./run-chaos.ts"

/** The figures of a run as tables, followed by its violations. */
export function formatResult(result: ChaosResult): string {
  const { orders, faults, refusals, assets, violations } = result
  const held = orders.filter(({ held, state }) => held || state === "disarmed")
  return [
    "",
    formatTable(
      ["orders", "count"],
      [["in all", String(orders.length)], ...countWords(orders.map(outcomeOf))],
    ),
    "",
    formatTable(["faults", "count"], [["in all", String(faults.length)], ...countWords(faults)]),
    "",
    `${result.seconds} s, ${result.initiatesPerOrder} initiations per order at most, ` +
      `${result.windfalls} paid twice by the solver`,
    `requests without an order: ${
      Object.entries(refusals)
        .map(([code, times]) => `${code} ${times}`)
        .join(", ") || "none"
    }`,
    "",
    formatTable(
      [
        "asset (smallest units)",
        "change",
        "out by orders",
        "in by orders",
        "windfall",
        "fees",
        "locked",
        "difference",
      ],
      assets
        .filter(
          ({ ordersIn, ordersOut, fees, difference }) =>
            ordersIn + ordersOut + fees !== 0n || difference !== 0n,
        )
        .map((line) => [
          line.asset,
          ...[
            line.change,
            line.ordersOut,
            line.ordersIn,
            line.windfall,
            line.fees,
            line.locked,
            line.difference,
          ].map(String),
        ]),
    ),
    ...held.flatMap(({ id, reasons }) => [
      "",
      `waiting for an operator: ${id}`,
      ...reasons.map(({ code, message }) => `  ${code}: ${message}`),
    ]),
    "",
    violations.length === 0
      ? "No violations: nothing lost, doubled or stuck."
      : `${violations.length} violations:`,
    ...violations.map((violation) => `  ${violation}`),
  ].join("\n")
}

function outcomeOf({ outcome, held, state }: ChaosResult["orders"][number]): string {
  return outcome ?? (held ? "held" : state === "disarmed" ? state : `stuck in ${state}`)
}

function countWords(words: readonly string[]): string[][] {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([word, times]) => [word, String(times)])
}
