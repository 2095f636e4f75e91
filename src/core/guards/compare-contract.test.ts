import { expect, test } from "vitest"
import { toChainId } from "#domain/asset.ts"
import { compareContract } from "./compare-contract.ts"

test("a contract must have each pinned value; one that the chain does not show differs", () => {
  const pinned = { htlc: "0xhtlc", identity: { code: "aa", owner: "bb" } }
  const found = (identity: Record<string, string>) =>
    compareContract(toChainId("base"), pinned, identity).map(({ expected }) => expected)
  expect(found({ code: "aa", owner: "bb", more: "cc" })).toEqual([])
  expect(found({ code: "aa", owner: "cc" })).toEqual(["bb"])
  expect(found({})).toEqual(["aa", "bb"])
})
