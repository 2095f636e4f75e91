import { getContractAddress, type Hex, parseAbi } from "viem"
import { expect, test } from "vitest"
import { createEvmChain } from "#chains/evm/create-chain.ts"
import { createSender } from "#sandbox/evm/create-sender.ts"
import { compileToken } from "./compile-token.ts"
import {
  assetOf,
  assets,
  faucet,
  inBlock,
  local,
  NOTHING_RESERVED,
  options,
  useLocalChain,
} from "./local-scene.ts"
import { wbtc } from "./sample-order.ts"

useLocalChain()

/**
 * The approval of Tether's contract on Ethereum (0xdAC17F958D2ee523a2206206994597C13D831ec7): no
 * return value, and zero first.
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
}`

test("a token that refuses to change an allowance gets zero first, and then the exact amount", async () => {
  const sender = createSender(local.client, faucet())
  await local.setBalance(sender.address, 10n ** 20n)
  const nonce = await local.client.getTransactionCount({ address: sender.address })
  const token = getContractAddress({ from: sender.address, nonce: BigInt(nonce) })
  await inBlock(() => sender.sendUnchecked({ data: compileToken(SOURCE, "Stubborn") }))
  const [htlc = ""] = assetOf(wbtc).htlc
  const own = assets.map((asset) => (asset.id === wbtc ? { ...asset, token } : asset))
  const chain = createEvmChain({ ...options, assets: own })
  const allowance = (): Promise<bigint> => {
    const abi = parseAbi([
      "function allowance(address owner, address spender) view returns (uint256)",
    ])
    const args = [sender.address, htlc as Hex] as const // CAST: a configured address.
    return local.client.readContract({ address: token, abi, functionName: "allowance", args })
  }
  const perform = async (units: bigint): Promise<void> => {
    const planned = await chain.planTransaction(
      { action: "approve", asset: wbtc, spender: htlc, units },
      NOTHING_RESERVED,
    )
    if ("refused" in planned) throw new Error(JSON.stringify(planned.refused))
    const transaction = await chain.signTransaction(planned)
    await inBlock(() => chain.broadcastTransaction(transaction))
    expect(await chain.observeTransaction(transaction)).toMatchObject({ status: "mined", ok: true })
  }
  expect(await chain.findMissingApproval(wbtc, htlc, 7n)).toEqual({ setUnits: 7n })
  await perform(7n)
  expect(await chain.findMissingApproval(wbtc, htlc, 7n)).toBeNull()
  // Another amount must not be tried at once: the contract reverts.
  expect(await chain.findMissingApproval(wbtc, htlc, 9n)).toEqual({ setUnits: 0n })
  await perform(0n)
  expect(await chain.findMissingApproval(wbtc, htlc, 9n)).toEqual({ setUnits: 9n })
  await perform(9n)
  expect(await allowance()).toBe(9n)
  expect(await chain.findMissingApproval(wbtc, htlc, 0n)).toEqual({ setUnits: 0n })
})
