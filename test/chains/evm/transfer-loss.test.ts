import solc from "solc"
import { expect, test } from "vitest"
import { mustExist } from "#lib/assert.ts"
import { callAnvil } from "#sandbox/evm/call-anvil.ts"
import {
  approve,
  assetOf,
  initiate,
  local,
  newOrder,
  refusalOf,
  useLocalChain,
} from "./local-scene.ts"
import { wbtc } from "./sample-order.ts"

useLocalChain()

/** The places of the sandbox's own token, so that its balances go on. */
const SOURCE = `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Taxed {
  string public name;
  string public symbol;
  uint256 public totalSupply;
  mapping(address => uint256) public balanceOf;
  mapping(address => mapping(address => uint256)) public allowance;
  function decimals() external pure returns (uint8) { return 8; }
  function approve(address spender, uint256 value) external returns (bool) {
    allowance[msg.sender][spender] = value;
    return true;
  }
  function transfer(address to, uint256 value) external returns (bool) {
    return move(msg.sender, to, value);
  }
  function transferFrom(address from, address to, uint256 value) external returns (bool) {
    allowance[from][msg.sender] -= value;
    return move(from, to, value);
  }
  function move(address from, address to, uint256 value) private returns (bool) {
    balanceOf[from] -= value;
    balanceOf[to] += value - value / 100;
    return true;
  }
}`

function compileToken(): string {
  const selection = { "*": { "*": ["evm.deployedBytecode.object"] } }
  const input = {
    language: "Solidity",
    sources: { "Taxed.sol": { content: SOURCE } },
    settings: { evmVersion: "cancun", outputSelection: selection },
  }
  type Output = {
    contracts: Record<string, Record<string, { evm: { deployedBytecode: { object: string } } }>>
  }
  // CAST: the compiler's documented output.
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output
  const { evm } = mustExist(output.contracts["Taxed.sol"]?.["Taxed"], "the compiled token")
  return `0x${evm.deployedBytecode.object}`
}

test("a deposit of a token that keeps a share of each transfer is refused", async () => {
  const { deposit } = await newOrder(wbtc)
  await approve()
  expect(await refusalOf(initiate(deposit))).toEqual([])
  await callAnvil(local.client, "anvil_setCode", [assetOf(wbtc).token ?? "", compileToken()])
  expect(await refusalOf(initiate(deposit))).toEqual(["evm.token_keeps_share"])
})
