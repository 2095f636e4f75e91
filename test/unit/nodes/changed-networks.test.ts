import { afterEach, describe, expect, test } from "vitest"
import { type Chain, FAMILIES } from "./families.ts"
import { describeError, HONEST, HOUR_MS, honest, openNodes, stopNodes } from "./open-nodes.ts"

afterEach(stopNodes)

const AGREED = 5n

describe.each(Object.entries(FAMILIES))("%s, where", (_name, family) => {
  test.each([
    ["above", 3],
    ["at", 0],
    ["below", -2],
  ])("a lone node changes to another network, %s its last head", async (_where, step) => {
    let chain = HONEST
    const { read } = await openNodes(family, [() => chain], 1)
    expect(await read()).toBe(AGREED)
    chain = { ...chain, network: "another", height: chain.height + step, units: 6 }
    expect(await read().catch(describeError)).toMatch(/another (network|cluster)|on chain 1/)
    chain = { ...HONEST, height: HONEST.height + 3 }
    expect(await read()).toBe(AGREED)
  })

  test("a node of three changes to another network after an hour", async () => {
    let chain: Chain = HONEST
    const { read, pass } = await openNodes(family, [() => chain, honest, honest], 2)
    expect(await read()).toBe(AGREED)
    chain = { ...chain, network: "another", units: 6 }
    pass(HOUR_MS)
    expect(await read()).toBe(AGREED)
  })
})
