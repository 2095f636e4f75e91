import { describe, expect, test } from "vitest"
import { parseConfig } from "#config/load.ts"
import { mustExist } from "#lib/assert.ts"
import { Secret } from "#lib/secret.ts"
import type { AskHttp } from "#nodes/ask-node.ts"
import { checkContracts, listUnpinned } from "./check-contracts.ts"

const HTLC = "0x2222222222222222222222222222222222222222"
/** Keccak-256 of the byte 0x00. */
const PINNED = "0xbc36789e7a1e281436464229828f817d6612f7b477d66591ff96a9e064bcc98a"

function configWith(pinned: string) {
  return parseConfig(
    `{ service: { url: "http://127.0.0.1:1" }, rules: [],
       chains: { base_sepolia: { family: evm, chain_id: 84532, rpc: ["http://one", "http://two"],
           key: "env:NONE" },
                 bitcoin_testnet: { family: bitcoin, network: regtest, esplora: ["http://one"],
                     key: "env:NONE" } },
       assets: { "base_sepolia:eth": { decimals: 18, htlc: ["${HTLC}"]${pinned} },
           "bitcoin_testnet:btc": { decimals: 8 } } }`,
    { file: "test.yaml", secrets: (reference) => new Secret("", reference) },
  )
}

/** A node with this code at every address, and empty storage. */
function nodeWith(code: string): AskHttp {
  return async (_url, body) => {
    // CAST: the reader's own request.
    const { method } = body as { method: string }
    return JSON.stringify({ result: method === "eth_getCode" ? code : `0x${"0".repeat(64)}` })
  }
}

function check(pinned: string, ask: AskHttp, chain = "base_sepolia") {
  const config = configWith(pinned)
  const entry = mustExist(
    config.chains.find((each) => each.chain === chain),
    "the chain",
  )
  return checkContracts(entry, config.assets, ask)
}

describe("the doctor's check of contracts", () => {
  const pin = `, pinned: [{ code: "${PINNED}" }]`

  test("accepts the pinned code", async () => {
    expect(await check(pin, nodeWith("0x00"))).toEqual([
      expect.objectContaining({ status: "ok", todo: null }),
    ])
  })

  test("fails for other code, and shows both values", async () => {
    const [diagnosis] = await check(pin, nodeWith("0x01"))
    expect(diagnosis).toMatchObject({
      status: "fail",
      found: expect.stringContaining(`${PINNED} → 0x`),
    })
  })

  test("asks the second endpoint when the first is silent, and fails when both are", async () => {
    const half: AskHttp = async (url, body) => {
      if (url === "http://one") throw new Error("connect ECONNREFUSED")
      return nodeWith("0x00")(url, body)
    }
    expect(await check(pin, half)).toMatchObject([{ status: "ok" }])
    const silent: AskHttp = async () => {
      throw new Error("connect ECONNREFUSED")
    }
    expect(await check(pin, silent)).toMatchObject([
      { status: "fail", found: expect.stringContaining("ECONNREFUSED") },
    ])
  })

  test("warns about a contract without a pin, and asks no node for it", async () => {
    const never: AskHttp = async () => {
      throw new Error("no node is needed")
    }
    expect(await check("", never)).toMatchObject([
      { status: "warn", found: expect.stringContaining("base_sepolia:eth") },
    ])
    expect(listUnpinned(configWith("").assets)).toEqual(["base_sepolia:eth"])
    expect(listUnpinned(configWith(pin).assets)).toEqual([])
  })

  test("has nothing to compare on a chain without contracts", async () => {
    expect(await check("", nodeWith("0x00"), "bitcoin_testnet")).toEqual([])
  })
})
