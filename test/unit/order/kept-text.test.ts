import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { expect, test } from "vitest"
import { encodePieces, type Order } from "#order/step.ts"
import { sampleData } from "../../support/sample-job.ts"

const COUNT = 2_000

test(
  "the text of an order's fields takes the memory of its characters, not of the parts that it " +
    "was made of",
  () => {
    setFlagsFromString("--expose-gc")
    // CAST: the flag gives new contexts this function.
    const collect = runInNewContext("gc") as () => void
    const orders = Array.from(
      { length: COUNT },
      (): Order => ({ state: "funded", data: structuredClone(sampleData()) }),
    )
    const heapBytes = (): number => {
      collect()
      return process.memoryUsage().heapUsed
    }
    const before = heapBytes()
    const kept = orders.map(encodePieces)
    const bytes = heapBytes() - before
    const characters = kept.reduce((sum, pieces) => sum + pieces.join("").length, 0)
    // Each piece has a header beside its characters.
    expect(bytes).toBeLessThan(2 * characters)
  },
)
