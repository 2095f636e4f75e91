import { parentPort } from "node:worker_threads"
import { mustExist } from "#lib/assert.ts"
import type { SimCase } from "./sim-case.ts"
import { simulate } from "./simulate.ts"

// Simulated nodes fail all the time, and nothing reads the traces of their errors.
Error.stackTraceLimit = 0

/** Simulates each case that the parent thread posts. */
const port = mustExist(parentPort, "the parent thread")
port.on("message", (task: SimCase) => {
  simulate(task).then(
    (result) => port.postMessage(result),
    (error: unknown) => {
      throw error
    },
  )
})
