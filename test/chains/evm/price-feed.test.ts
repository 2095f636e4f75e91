import { readFileSync } from "node:fs"
import { join } from "node:path"
import solc from "solc"
import { type Abi, encodeDeployData, encodeFunctionData, getContractAddress, type Hex } from "viem"
import { beforeAll, beforeEach, describe, expect, test } from "vitest"
import { createEvmChain } from "#chains/evm/create-chain.ts"
import { mustExist } from "#lib/assert.ts"
import { callAnvil } from "#sandbox/evm/call-anvil.ts"
import { createSender } from "#sandbox/evm/create-sender.ts"
import { faucet, inBlock, local, options, useLocalChain } from "./local-scene.ts"

useLocalChain()

/**
 * Chainlink's published mock of an aggregator and its interfaces (`@chainlink/contracts` 1.5.0).
 * Its description has another text.
 */
const FOLDER = join(import.meta.dirname, "../../fixtures/chainlink")
const FILES = [
  "MockV3Aggregator",
  "AggregatorInterface",
  "AggregatorV2V3Interface",
  "AggregatorV3Interface",
]
const OTHER_DESCRIPTION = "v0.8/tests/MockV3Aggregator.sol"

type Compiled = { readonly abi: Abi; readonly bytecode: Hex }
function compileFeed(description: string): Compiled {
  const sources = FILES.map((name) => {
    const text = readFileSync(join(FOLDER, `${name}.sol`), "utf8").replace(
      OTHER_DESCRIPTION,
      description,
    )
    return [
      name === "MockV3Aggregator" ? `mocks/${name}.sol` : `interfaces/${name}.sol`,
      { content: text },
    ]
  })
  const settings = {
    evmVersion: "cancun",
    outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
  }
  type Output = {
    contracts: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>
  }
  const input = { language: "Solidity", sources: Object.fromEntries(sources), settings }
  // CAST: the compiler's documented output.
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output
  const { abi, evm } = mustExist(
    output.contracts["mocks/MockV3Aggregator.sol"]?.["MockV3Aggregator"],
    "the feed",
  )
  return { abi, bytecode: `0x${evm.bytecode.object}` }
}

let usd: Compiled
let other: Compiled
beforeAll(() => {
  usd = compileFeed("BTC / USD")
  other = compileFeed("LINK / ETH")
})

async function deploy(feed: Compiled, decimals: number, answer: bigint) {
  const sender = createSender(local.client, faucet())
  const nonce = await local.client.getTransactionCount({ address: sender.address })
  const address = getContractAddress({ from: sender.address, nonce: BigInt(nonce) })
  const data = encodeDeployData({
    abi: feed.abi,
    bytecode: feed.bytecode,
    args: [decimals, answer],
  })
  await inBlock(() => sender.sendUnchecked({ data }))
  const update = (...args: readonly bigint[]) =>
    inBlock(() =>
      createSender(local.client, faucet()).sendUnchecked({
        to: address,
        data: encodeFunctionData({ abi: feed.abi, functionName: "updateRoundData", args }),
      }),
    )
  return { address, update }
}
async function read(address: string, sequencer: string | null = null, rpc = options.rpc) {
  return createEvmChain({ ...options, rpc }).contracts?.fetchFeedPrice({
    kind: "chainlink",
    address,
    sequencer,
  })
}
const now = async () => (await local.client.getBlock()).timestamp
const refused = (text: string) => ({ code: "prices.feed", message: expect.stringContaining(text) })

beforeEach(() => local.setBalance(createSender(local.client, faucet()).address, 10n ** 20n))

describe("a Chainlink feed on our own node", () => {
  test("gives its answer in millionths, with the time of its round", async () => {
    const { address, update } = await deploy(usd, 8, 6_512_345_678_901n)
    const at = await now()
    expect(await read(address)).toEqual({ fiat: 65_123_456_789n, atMs: Number(at) * 1_000 })
    await update(9n, 6_500_000_000_000n, at - 7_000n, at - 7_010n)
    expect(await read(address)).toEqual({
      fiat: 65_000_000_000n,
      atMs: Number(at - 7_000n) * 1_000,
    })
  })

  test("with fewer or more decimals gives the same price", async () => {
    expect((await read((await deploy(usd, 2, 6_512_345n)).address))?.fiat).toBe(65_123_450_000n)
    expect((await read((await deploy(usd, 18, 65_123n * 10n ** 18n)).address))?.fiat).toBe(
      65_123_000_000n,
    )
  })

  test("is refused when its answer, its round or its description is not that of a price in dollars", async () => {
    const { address, update } = await deploy(usd, 8, 1n)
    const at = await now()
    await expect(read(address)).rejects.toMatchObject(refused("too small"))
    await update(2n, 0n, at, at)
    await expect(read(address)).rejects.toMatchObject(refused("not above zero"))
    await update(3n, -5n, at, at)
    await expect(read(address)).rejects.toMatchObject(refused("not above zero"))
    await update(4n, 6_500_000_000_000n, 0n, at)
    await expect(read(address)).rejects.toMatchObject(refused("not complete"))
    await update(0n, 6_500_000_000_000n, at, at)
    await expect(read(address)).rejects.toMatchObject(refused("not complete"))
    await expect(read((await deploy(other, 8, 6_500_000_000_000n)).address)).rejects.toMatchObject(
      refused("LINK / ETH"),
    )
  })

  test("is refused while the sequencer of its chain is down, and for an hour afterwards", async () => {
    const { address } = await deploy(usd, 8, 6_500_000_000_000n)
    const sequencer = await deploy(other, 0, 1n)
    await expect(read(address, sequencer.address)).rejects.toMatchObject(refused("is down"))
    const at = await now()
    await sequencer.update(2n, 0n, at, at)
    await expect(read(address, sequencer.address)).rejects.toMatchObject(
      refused("less than an hour ago"),
    )
    await callAnvil(local.client, "evm_increaseTime", [3_700])
    await callAnvil(local.client, "evm_mine", [])
    expect((await read(address, sequencer.address))?.fiat).toBe(65_000_000_000n)
  })

  test("is an error without a contract, and while one of two endpoints is silent", async () => {
    await expect(read("0x000000000000000000000000000000000000dEaD")).rejects.toMatchObject({
      disposition: "transient",
    })
    const { address } = await deploy(usd, 8, 6_500_000_000_000n)
    await expect(read(address, null, [local.url, "http://127.0.0.1:1"])).rejects.toMatchObject({
      code: "evm.agreement_short",
    })
  })
})
