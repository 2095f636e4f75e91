import { appendFileSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { simulate } from "../simulate.ts"
import { openKeptSeeds } from "./kept-seeds.ts"

test("a run of many hours goes on behind the seeds of its file", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "ballast-seeds-")), "below", "adversary.jsonl")
  const first = await simulate({ seed: 16, mode: "adversary", ownSecrets: true, orders: 2 })
  const second = await simulate({ seed: 2, mode: "adversary", ownSecrets: true, orders: 1 })
  openKeptSeeds(path).add(first)
  // The process was killed while it wrote the next line.
  appendFileSync(path, '{"seed":2,"ord')
  const goesOn = openKeptSeeds(path)
  expect([...goesOn.seeds.keys()]).toEqual([16])
  goesOn.add(second)
  const { seeds } = openKeptSeeds(path)
  expect([...seeds.keys()]).toEqual([16, 2])
  expect(seeds.get(16)).toEqual({
    seed: 16,
    orders: first.orders,
    deposited: first.deposited,
    violations: [],
    burns: null,
    bill: first.bill,
  })
  expect(first.bill?.spent.size).toBeGreaterThan(0)
})
