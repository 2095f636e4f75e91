import { expect, test } from "vitest"
import { findMissing, foreseeAllowance } from "#engine/orders/deposit/read-allowance.ts"
import { sampleData, sampleJob } from "../../../support/sample-job.ts"

/*
 * The allowance is read beside the look at its approval. The step after it takes that answer, also
 * while it is on its way: some chains show the approval with their newest block.
 */

type Missing = { readonly setUnits: bigint } | null
const MISSING = { setUnits: 5n }

/** A job whose order has the allowance alone, and the reads of it, which a test answers. */
function sampleReads() {
  const reads: PromiseWithResolvers<Missing>[] = []
  const data = sampleData({})
  const job = sampleJob(data, {
    journal: { findHolder: () => data.id },
    chain: {
      findMissingApproval: () => {
        const read = Promise.withResolvers<Missing>()
        reads.push(read)
        return read.promise
      },
    },
  })
  return { job, reads }
}

test("an exact allowance that is on its way is not asked for again", async () => {
  const { job, reads } = sampleReads()
  foreseeAllowance(job)
  const found = findMissing(job)
  reads[0]?.resolve(null)
  expect(await found).toBeNull()
  expect(reads).toHaveLength(1)
  // It serves one step alone.
  void findMissing(job)
  expect(reads).toHaveLength(2)
})

test.each([
  ["another amount", (read: PromiseWithResolvers<Missing>) => read.resolve(MISSING)],
  ["no answer", (read: PromiseWithResolvers<Missing>) => read.reject(new Error("silent"))],
])("%s is asked for anew", async (_what, answer) => {
  const { job, reads } = sampleReads()
  foreseeAllowance(job)
  const found = findMissing(job)
  for (const read of reads) answer(read)
  await expect.poll(() => reads.length).toBe(2)
  reads[1]?.resolve(null)
  expect(await found).toBeNull()
})
