import { getContractAddress, type Hex, parseAbi } from "viem"
import { expect, test } from "vitest"
import { createEvmChain } from "#chains/evm/create-chain.ts"
import { createEndpoint, type EvmClient } from "#chains/evm/nodes/endpoint.ts"
import { findAllowanceSlot } from "#chains/evm/spend/allowance-slot.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { SignedTransaction } from "#domain/transaction.ts"
import { mustExist } from "#lib/assert.ts"
import { systemClock } from "#lib/clock.ts"
import { createSender } from "#sandbox/evm/create-sender.ts"
import { compileToken } from "./compile-token.ts"
import {
  approve,
  assetOf,
  assets,
  chain,
  faucet,
  inBlock,
  initiate,
  local,
  NOTHING_RESERVED,
  newOrder,
  options,
  plan,
  UNITS,
  useLocalChain,
} from "./local-scene.ts"
import { wbtc } from "./sample-order.ts"

useLocalChain()

const spender = (): string => assetOf(wbtc).htlc[0] ?? ""

/**
 * Tokens as they are found: one that wants zero first (USDT), one that keeps its allowances in
 * another contract, one that approves nothing.
 */
const SOURCE = `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Stubborn {
  mapping(address => mapping(address => uint256)) public allowance;
  function approve(address spender, uint256 value) public {
    require(!((value != 0) && (allowance[msg.sender][spender] != 0)));
    allowance[msg.sender][spender] = value;
  }
}
contract Store {
  mapping(bytes32 => uint256) public values;
  function set(bytes32 key, uint256 value) public { values[key] = value; }
}
contract Split {
  Store store = new Store();
  function allowance(address owner, address spender) public view returns (uint256) {
    return store.values(keccak256(abi.encode(owner, spender)));
  }
  function approve(address spender, uint256 value) public returns (bool) {
    store.set(keccak256(abi.encode(msg.sender, spender)), value);
    return true;
  }
}
contract Closed {
  function allowance(address, address) public pure returns (uint256) { return 0; }
  function approve(address, uint256) public pure returns (bool) { revert("closed"); }
}`

type Name = "Stubborn" | "Split" | "Closed"

async function deploy(name: Name): Promise<Hex> {
  const sender = createSender(local.client, faucet())
  const nonce = await local.client.getTransactionCount({ address: sender.address })
  await inBlock(() => sender.sendUnchecked({ data: compileToken(SOURCE, name) }))
  return getContractAddress({ from: sender.address, nonce: BigInt(nonce) })
}

function allowed(): Promise<bigint> {
  return local.client.readContract({
    address: assetOf(wbtc).token as Hex, // CAST: a configured address.
    abi: parseAbi(["function allowance(address owner, address spender) view returns (uint256)"]),
    functionName: "allowance",
    args: [chain.account as Hex, spender() as Hex], // CAST: addresses.
  })
}

async function signPair(
  deposit: VerifiedDeposit,
  reserved: ReadonlySet<string>,
  units = deposit.units,
): Promise<readonly [SignedTransaction, SignedTransaction]> {
  const planned = [
    await plan({ action: "approve", asset: wbtc, spender: spender(), units }),
    await plan({ action: "initiate", asset: wbtc, deposit, isPaired: true }),
  ] as const
  const [first, second] = mustExist(await chain.pairs?.bindPair(planned, reserved), "a bound pair")
  return [await chain.signTransaction(first), await chain.signTransaction(second)]
}

function owned(): { owner: Hex; spender: Hex } {
  return { owner: chain.account as Hex, spender: spender() as Hex } // CAST: addresses.
}

/** The endpoint with an access list in a chosen order: nodes list its contracts in any. */
function reading(client: EvmClient, { token, place }: { token: Hex; place: string }): EvmClient {
  const createAccessList: EvmClient["createAccessList"] = async (call) => {
    const answer = await client.createAccessList(call)
    const isToken = ({ address }: { address: Hex }): boolean =>
      address.toLowerCase() === token.toLowerCase()
    const own = answer.accessList.filter(isToken)
    const others = answer.accessList.filter((each) => !isToken(each))
    expect([own.length, others.length]).toEqual([1, 1])
    return { ...answer, accessList: place === "first" ? [...own, ...others] : [...others, ...own] }
  }
  return { ...client, createAccessList }
}

test("sixteen pairs are planned before any approval is mined, and all of them deposit in one block", async () => {
  expect(await chain.pairs?.canPair(wbtc, spender())).toBe(true)
  const reserved = new Set<string>()
  const pairs: (readonly [SignedTransaction, SignedTransaction])[] = []
  for (let index = 0; index < 16; index++) {
    const { deposit } = await newOrder(wbtc, 1_000n + BigInt(index))
    const pair = await signPair(deposit, reserved)
    for (const { plan: signed } of pair) for (const name of signed.resources) reserved.add(name)
    pairs.push(pair)
  }
  expect([...reserved]).toEqual(Array.from({ length: 32 }, (_, index) => `nonce:${index + 1}`))
  for (const transaction of pairs.flat()) await chain.broadcastTransaction(transaction)
  await local.advance(1)
  for (const transaction of pairs.flat())
    expect(await chain.observeTransaction(transaction)).toMatchObject({ status: "mined", ok: true })
  expect(await allowed()).toBe(0n)
})

test("an approval that an earlier order left is replaced by that of the next pair", async () => {
  await approve(7n)
  const { deposit } = await newOrder(wbtc)
  const pair = await signPair(deposit, NOTHING_RESERVED)
  await inBlock(async () => {
    for (const transaction of pair) await chain.broadcastTransaction(transaction)
  })
  expect(await chain.observeTransaction(pair[1])).toMatchObject({ status: "mined", ok: true })
  expect(await allowed()).toBe(0n)
})

test("a pair that is planned while the same allowance stands has gas for it to be gone", async () => {
  await approve()
  const { deposit } = await newOrder(wbtc)
  const pair = await signPair(deposit, new Set(["nonce:2"]))
  await approve(0n)
  for (const transaction of pair) await chain.broadcastTransaction(transaction)
  await local.advance(1)
  expect(await chain.observeTransaction(pair[0])).toMatchObject({ status: "mined", ok: true })
  expect(await chain.observeTransaction(pair[1])).toMatchObject({ status: "mined", ok: true })
})

test(
  "a deposit that fails leaves its allowance until the next pair, which deposits with its own " +
    "approval",
  async () => {
    const bad = await newOrder(wbtc)
    const good = await newOrder(wbtc)
    const first = await signPair(bad.deposit, NOTHING_RESERVED, UNITS - 1n)
    const second = await signPair(
      good.deposit,
      new Set(first.flatMap(({ plan: signed }) => signed.resources)),
    )
    for (const transaction of [...first, ...second]) await chain.broadcastTransaction(transaction)
    await local.advance(1)
    expect(await chain.observeTransaction(first[1])).toMatchObject({ status: "mined", ok: false })
    expect(await chain.observeTransaction(second[1])).toMatchObject({ status: "mined", ok: true })
    expect(await allowed()).toBe(0n)
  },
)

test("a voided approval makes its deposit fail, and both nonces of a pair can be voided", async () => {
  const { deposit } = await newOrder(wbtc)
  const [approval, initiation] = await signPair(deposit, NOTHING_RESERVED)
  const voided = await chain.signTransaction(await plan({ action: "void", voids: approval.plan }))
  await chain.broadcastTransaction(voided)
  await chain.broadcastTransaction(initiation)
  await local.advance(1)
  expect(await chain.observeTransaction(approval)).toMatchObject({
    status: "excluded",
    by: voided.txid,
  })
  expect(await chain.observeTransaction(initiation)).toMatchObject({ status: "mined", ok: false })
  const other = await newOrder(wbtc)
  const pair = await signPair(other.deposit, NOTHING_RESERVED)
  for (const transaction of pair) await chain.broadcastTransaction(transaction)
  for (const { plan: voids } of pair)
    await chain.broadcastTransaction(
      await chain.signTransaction(await plan({ action: "void", voids })),
    )
  await local.advance(1)
  for (const transaction of pair)
    expect(await chain.observeTransaction(transaction)).toMatchObject({ status: "excluded" })
  expect(await allowed()).toBe(0n)
})

test("both of a pair with higher fees replace the pair in the mempool", async () => {
  const { deposit } = await newOrder(wbtc)
  const pair = await signPair(deposit, NOTHING_RESERVED)
  for (const transaction of pair) await chain.broadcastTransaction(transaction)
  const bumps = await Promise.all(
    pair.map(async ({ plan: old }) =>
      chain.signTransaction(mustExist(await chain.planBump(old), "a bump")),
    ),
  )
  for (const transaction of bumps) await chain.broadcastTransaction(transaction)
  await local.advance(1)
  for (const transaction of bumps)
    expect(await chain.observeTransaction(transaction)).toMatchObject({ status: "mined", ok: true })
  expect(await allowed()).toBe(0n)
})

test("the gas limit of a paired deposit is that of a deposit whose approval is mined", async () => {
  const { deposit } = await newOrder(wbtc)
  expect(await chain.pairs?.canPair(wbtc, spender())).toBe(true)
  const paired = await plan({ action: "initiate", asset: wbtc, deposit, isPaired: true })
  await approve()
  expect(JSON.parse(paired.unsigned).gas).toBe(
    JSON.parse((await plan(initiate(deposit))).unsigned).gas,
  )
})

test.each([
  ["Stubborn", false],
  ["Split", true],
  ["Closed", false],
] as const)("a token like %s allows pairs: %s", async (name, isPossible) => {
  const sender = createSender(local.client, faucet())
  await local.setBalance(sender.address, 10n ** 20n)
  const token = await deploy(name)
  const own = createEvmChain({
    ...options,
    assets: assets.map((asset) => (asset.id === wbtc ? { ...asset, token } : asset)),
  })
  expect(await own.pairs?.canPair(wbtc, spender())).toBe(isPossible)
})

test.each(["first", "last"])(
  "a store whose address is read %s is found: without it the read reverts",
  async (place) => {
    const sender = createSender(local.client, faucet())
    await local.setBalance(sender.address, 10n ** 20n)
    const token = await deploy("Split")
    const endpoint = createEndpoint(local.url, {
      chainId: options.chainId,
      timeoutMs: 5_000,
      clock: systemClock,
    })
    const found = await endpoint.ask((client) =>
      findAllowanceSlot(reading(client, { token, place }), token, owned()),
    )
    expect(found?.contract).not.toMatch(new RegExp(token, "i"))
  },
)

test("a node that does not answer allows no pair for now, and the question is asked again", async () => {
  const silent = createEvmChain({ ...options, rpc: ["http://127.0.0.1:1"] })
  expect(await silent.pairs?.canPair(wbtc, spender())).toBe(false)
  expect(await chain.pairs?.canPair(wbtc, spender())).toBe(true)
})
