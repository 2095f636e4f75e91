import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { expect, test } from "vitest"
import { chainOf } from "#domain/asset.ts"
import { mustExist } from "#lib/assert.ts"
import type { ChainPort } from "#ports/chain.ts"
import { createAgreeingPort } from "../../../bench/agreeing-port.ts"
import { agreeAll } from "../../../bench/ask-endpoints.ts"
import { createInstantWorld, ETH } from "../../../bench/instant-world.ts"
import { performancePage } from "../../../bench/performance-page.ts"
import { atMost, isMet, pairRows, type Row } from "../../../bench/row.ts"

/* `npm run bench` measures with one endpoint a chain, and again with two that must agree. */

const ROW: Row = { what: "a", value: 1, unit: "ms", goal: atMost(2), floor: 0.5 }

test("a row whose value with two endpoints misses the goal is not met", () => {
  const [row] = pairRows([ROW], [{ ...ROW, value: 3, floor: 0.7 }])
  const rows = [mustExist(row, "the row"), { ...ROW, what: "asks no node" }]
  expect(rows.map(isMet)).toEqual([false, true])
  const page = performancePage({
    rows,
    missedParts: [],
    busy: { places: [], functions: [] },
    isQuick: false,
  })
  expect(page).toContain(
    "1 of 2 goals are met: 2 with one endpoint a chain, and 0 of 1 again with two",
  )
  expect(page).toContain("| a | 1.0 ms | 0.500 ms | 3.0 ms | 0.700 ms | at most 2 ms | no |")
  expect(page).toContain("| asks no node | 1.0 ms | 0.500 ms |  |  | at most 2 ms | yes |")
})

test("a row that the run with two endpoints does not have is not met", () => {
  expect(pairRows([ROW], []).map(isMet)).toEqual([false])
})

test("with two endpoints a read is two calls, and a question to the service is one", async () => {
  const world = createInstantWorld({ endpoints: 2 })
  const chain = mustExist(world.chains.get(chainOf(ETH)), "the chain")
  await Promise.all([chain.fetchHeight(), chain.fetchBalance(ETH, new Set())])
  await world.service.fetchQuotes({ from: ETH, to: ETH, sourceUnits: 1n, affiliateBps: 0 })
  expect(Object.fromEntries(world.calls)).toEqual({
    fetchHeight: 2,
    fetchBalance: 2,
    fetchQuotes: 1,
  })
  await world.nodes.get(chainOf(ETH))?.fetchHeight()
  expect(world.calls.get("fetchHeight")).toBe(3)
})

test("equal answers are one answer, also where it is null", async () => {
  expect(agreeAll([{ height: 1n }, { height: 1n }])).toEqual({ height: 1n })
  const chain = mustExist(createInstantWorld().chains.get(chainOf(ETH)), "the chain")
  const silent: ChainPort = { ...chain, findMissingApproval: async () => null }
  expect(await createAgreeingPort([silent, silent]).findMissingApproval(ETH, "", 1n)).toBeNull()
})

test("different answers end the process, although the engine would catch the error and ask again", () => {
  const module = JSON.stringify(join(import.meta.dirname, "../../../bench/ask-endpoints.ts"))
  const text =
    `import { agreeAll } from ${module}; try { agreeAll([{ height: 1n }, { height: 2n }]) } ` +
    "catch {}"
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", text], {
    encoding: "utf8",
  })
  expect(status).toBe(1)
  expect(stderr).toContain("the endpoints of the bench do not agree")
})
