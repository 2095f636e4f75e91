import { entriesAt, readPath } from "#schema/read-path.ts"
import { type ConfigFinding, findingOf, type Judged } from "./finding.ts"

/**
 * Fee caps of chains by key: the highest sensible number in the key's own unit, several times the
 * worst known market.
 */
const CAPS: Readonly<
  Record<string, { readonly most: number; readonly unit: string; readonly usual: string }>
> = {
  max_fee_rate: { most: 1_000, unit: "sat/vB", usual: "200" },
  max_fee_per_gas: { most: 2_000, unit: "gwei", usual: '"500 gwei"' },
  max_priority_fee_per_gas: { most: 500, unit: "gwei", usual: '"10 gwei"' },
  max_priority_fee: { most: 50_000_000, unit: "micro-lamports", usual: "1000000" },
  max_fee: { most: 50, unit: "STRK", usual: '"5"' },
}

/** Caps so high that a lie about the market's fees could take a good part of an order. */
export function judgeFees({ written }: Judged): ConfigFinding[] {
  return entriesAt(written, ["chains"]).flatMap(([name, chain]) =>
    Object.entries(CAPS).flatMap(([key, { most, unit, usual }]): ConfigFinding[] => {
      const value = Number.parseFloat(String(readPath(chain, [key]) ?? ""))
      if (!(value > most)) return []
      const message = `${key} of ${name} lets a lying node take fees of up to ${value} ${unit}`
      const todo = `write ${key}: ${usual}`
      return [
        findingOf("highFeeCap", { path: ["chains", name, key], subjects: [name], message, todo }),
      ]
    }),
  )
}
