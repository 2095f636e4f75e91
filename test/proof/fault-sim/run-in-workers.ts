import { Worker } from "node:worker_threads"
import type { SimCase } from "./sim-case.ts"
import type { SimResult } from "./simulate.ts"

type Range = {
  readonly from: number
  readonly to: number
  readonly caseOf: (seed: number) => SimCase
  /** Seeds that a former part of the run has simulated. */
  readonly isKnown?: (seed: number) => boolean
  /** Called before each seed with the results so far; `true` ends the range. */
  readonly isOver?: (results: readonly SimResult[]) => boolean
}

/**
 * Simulates a range of seeds on several threads. Seeds are independent, so the results do not
 * depend on the number of threads.
 */
export async function runInWorkers(
  { from, to, caseOf, isKnown = () => false, isOver = () => false }: Range,
  threads: number,
  onResult: (result: SimResult) => void,
): Promise<SimResult[]> {
  const results: SimResult[] = []
  let next = from
  await Promise.all(Array.from({ length: Math.min(threads, to - from + 1) }, () => work()))
  return results.sort((a, b) => a.seed - b.seed)

  function work(): Promise<void> {
    const worker = new Worker(new URL("./seed-worker.ts", import.meta.url))
    const ask = (): void => {
      while (next <= to && isKnown(next)) next++
      if (next <= to && !isOver(results)) worker.postMessage(caseOf(next++))
      else void worker.terminate()
    }
    return new Promise((resolve, reject) => {
      worker.on("error", reject)
      worker.on("exit", () => resolve())
      worker.on("message", (result: SimResult) => {
        onResult(result)
        results.push({ ...result, table: "" })
        ask()
      })
      ask()
    })
  }
}
