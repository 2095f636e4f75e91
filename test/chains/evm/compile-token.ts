import solc from "solc"
import type { Hex } from "viem"
import { mustExist } from "#lib/assert.ts"

/** The bytecode of one contract of a Solidity source. */
export function compileToken(source: string, name: string): Hex {
  const input = {
    language: "Solidity",
    sources: { "Tokens.sol": { content: source } },
    settings: { evmVersion: "cancun", outputSelection: { "*": { "*": ["evm.bytecode.object"] } } },
  }
  type Output = {
    contracts: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>
  }
  // CAST: the compiler's documented output.
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output
  const { evm } = mustExist(output.contracts["Tokens.sol"]?.[name], "the compiled token")
  return `0x${evm.bytecode.object}`
}
