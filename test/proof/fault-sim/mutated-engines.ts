import { Worker } from "node:worker_threads"
import type { AdversaryBill } from "./adversary/bill.ts"
import { ENGINE_MUTANTS, type EngineMutant } from "./engine-mutants.ts"
import type { SimCase } from "./sim-case.ts"
import { createSimThread } from "./sim-thread.ts"
import { simulate } from "./simulate.ts"

/**
 * `seeds`: how many it took until the trace checker rejected a run; `null` when none was rejected.
 */
export type TriedMutant = {
  readonly name: string
  readonly seeds: number | null
  readonly message: string
  /** Of the rejected run, with a spending adversary. */
  readonly bill: AdversaryBill | null
}

/** So many mutated engines may stay unseen. */
export const MAY_PASS = 1
const CHECKER = "the model's rules"

/**
 * How mutated engines are tried: `byAny` counts every checker, and `compares` only one that the
 * same seed without the mistake does not meet.
 */
type Trial = {
  readonly from: number
  readonly seeds: number
  readonly byAny?: boolean
  readonly compares?: boolean
}

/** Runs each mutated engine from a seed on, until the trace checker rejects it. */
export async function tryMutatedEngines(
  trial: Trial,
  mutants: readonly EngineMutant[] = ENGINE_MUTANTS,
): Promise<readonly TriedMutant[]> {
  const tried: TriedMutant[] = []
  for (const mutant of mutants) tried.push(await tryMutant(mutant, trial))
  return tried
}

async function tryMutant(
  { name, edits, runs = {} }: EngineMutant,
  { from, seeds, byAny = false, compares = false }: Trial,
): Promise<TriedMutant> {
  const thread = createSimThread(
    new Worker(new URL("./mutated-worker.ts", import.meta.url), { workerData: { edits } }),
  )
  try {
    for (let count = 1; count <= seeds; count++) {
      const task: SimCase = { seed: from + count - 1, ...runs }
      const { violations, bill } = await thread.simulate(task)
      const found = violations.find(({ checker }) => byAny || checker === CHECKER)
      if (found !== undefined && !(compares && (await isMetAnyway(task, found.checker))))
        return {
          name,
          seeds: count,
          message: byAny ? `${found.checker}: ${found.message}` : found.message,
          bill,
        }
    }
    return { name, seeds: null, message: "not rejected", bill: null }
  } finally {
    await thread.close()
  }
}

/** The seed meets this checker without the mistake too. */
async function isMetAnyway(task: SimCase, checker: string): Promise<boolean> {
  return (await simulate(task)).violations.some((violation) => violation.checker === checker)
}

export function formatMutatedEngines(tried: readonly TriedMutant[]): string {
  const rows = tried.map(
    ({ name, seeds, message }) => `| ${name} | ${seeds ?? "-"} | ${withoutNames(message)} |`,
  )
  const rejected = tried.filter(({ seeds }) => seeds !== null).length
  return [
    "| mutated engine | seeds | rejected because |",
    "|---|---|---|",
    ...rows,
    "",
    `Rejected: ${rejected} of ${tried.length}.`,
  ].join("\n")
}

/** Without the order or the hash at its beginning. */
function withoutNames(message: string): string {
  return message.replace(/^[^:]*: /, "")
}
