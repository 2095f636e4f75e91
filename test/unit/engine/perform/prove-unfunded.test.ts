import { expect, test } from "vitest"
import { proveUnfunded } from "#engine/orders/observe/prove-unfunded.ts"
import { AppError } from "#lib/app-error.ts"
import { sampleData, sampleJob } from "../../../support/sample-job.ts"

test("a proof that cannot be read counts against the slots of its chain, and does not end the order", async () => {
  const failed = new AppError({
    code: "evm.unreachable",
    disposition: "transient",
    message: "no answer",
  })
  const unread: unknown[] = []
  const chain = { proveUnfunded: () => Promise.reject(failed) }
  const journal = { listOf: () => [] }
  const job = sampleJob(
    sampleData(),
    { chain, journal },
    { noteUnread: (error: unknown) => void unread.push(error) },
  )
  const { event } = await proveUnfunded(job)
  expect(unread).toEqual([failed])
  expect(event.type).toBe("order.unproven")
})
