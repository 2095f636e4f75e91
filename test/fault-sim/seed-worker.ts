import { parentPort } from "node:worker_threads"
import { present } from "#lib/assert.ts"
import type { SimCase } from "./sim-case.ts"
import { simulate } from "./simulate.ts"

/** Simulates one seed after another, as it is told. */
const port = present(parentPort, "the thread that asks")
port.on("message", (task: SimCase) => {
  simulate(task).then(
    (result) => port.postMessage(result),
    (error: unknown) => {
      throw error
    },
  )
})
