import { mustExist } from "#lib/assert.ts"
import { openBench } from "./run-orders.ts"
import { sleep } from "./waiting-orders.ts"

// A process that starts an engine on an existing journal, and says when its first turn is over.
const { engine } = openBench({ folder: mustExist(process.argv[2], "the folder") })
while (engine.lastTurns().workMs === null) await sleep(1)
await sleep(0)
process.stdout.write("ready\n")
