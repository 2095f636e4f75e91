import { Worker } from "node:worker_threads"
import type { SimCase } from "./sim-case.ts"
import type { SimResult } from "./simulate.ts"

/** A thread that simulates one case at a time. */
export type SimThread = {
  readonly simulate: (task: SimCase) => Promise<SimResult>
  readonly close: () => Promise<void>
}

export function createSimThread(
  worker: Worker = new Worker(new URL("./seed-worker.ts", import.meta.url)),
): SimThread {
  return {
    simulate: (task) =>
      new Promise((resolve, reject) => {
        worker.once("error", reject)
        worker.once("message", (result: SimResult) => {
          worker.off("error", reject)
          resolve(result)
        })
        worker.postMessage(task)
      }),
    close: async () => void (await worker.terminate()),
  }
}
