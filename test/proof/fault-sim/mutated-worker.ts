import { readFileSync } from "node:fs"
import { registerHooks } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parentPort, workerData } from "node:worker_threads"
import { mustExist } from "#lib/assert.ts"
import type { EngineMutant } from "./engine-mutants.ts"
import type { SimCase } from "./sim-case.ts"

/**
 * Simulates cases with an engine with files that are changed while they are loaded, in this thread
 * alone.
 */
const ROOT = join(import.meta.dirname, "../../..")
// CAST: the parent thread passes the edits of a mutant.
const { edits } = workerData as Pick<EngineMutant, "edits">
const port = mustExist(parentPort, "the parent thread")

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context)
    const own = edits.filter(
      ({ file }) => url.startsWith("file:") && fileURLToPath(url) === join(ROOT, file),
    )
    if (own.length === 0) return loaded
    return { ...loaded, source: own.reduce(change, readFileSync(fileURLToPath(url), "utf8")) }
  },
})
const { simulate } = await import("./simulate.ts")
port.on("message", (task: SimCase) => {
  simulate(task).then(
    (result) => port.postMessage(result),
    (error: unknown) => {
      throw error
    },
  )
})

function change(source: string, { file, find, replace }: EngineMutant["edits"][number]): string {
  const parts = source.split(find)
  if (parts.length !== 2)
    throw new Error(`${file} has this text ${parts.length - 1} times: ${find}`)
  return parts.join(replace)
}
