import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import solc from "solc"
import { hashSource } from "./hash-source.ts"

/**
 * Compiles `contracts/*.sol` into `contracts/artifacts.json`. Run it after a change of a contract:
 * `npx node src/lab/sandbox/evm/compile.ts`. The sandbox itself needs no compiler.
 */
const folder = new URL("./contracts/", import.meta.url)
const names = readdirSync(folder)
  .filter((name) => name.endsWith(".sol"))
  .sort()
const sources = Object.fromEntries(
  names.map((name) => [name, readFileSync(new URL(name, folder), "utf8")]),
)

const input = {
  language: "Solidity",
  sources: Object.fromEntries(
    Object.entries(sources).map(([name, content]) => [name, { content }]),
  ),
  settings: {
    optimizer: { enabled: true, runs: 200 },
    evmVersion: "cancun", // the fork that start-anvil.ts runs
    metadata: { bytecodeHash: "none", appendCBOR: false },
    outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
  },
}

type Output = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<string, Record<string, { abi: unknown; evm: { bytecode: { object: string } } }>>
}
// CAST: the compiler's documented standard-JSON output for the selection above.
const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output
for (const note of output.errors ?? []) console.error(note.formattedMessage)
if (output.errors?.length) process.exit(1)

const contracts = Object.values(output.contracts)
  .flatMap((file) => Object.entries(file))
  .filter(([, contract]) => contract.evm.bytecode.object !== "")
  .map(([name, contract]) => [
    name,
    { abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` },
  ])

const target = new URL("artifacts.json", folder)
const artifacts = {
  compiler: solc.version(),
  sources: Object.fromEntries(
    Object.entries(sources).map(([name, content]) => [name, hashSource(content)]),
  ),
  contracts: Object.fromEntries(contracts),
}
writeFileSync(target, JSON.stringify(artifacts, null, 2))
const biome = createRequire(import.meta.url).resolve("@biomejs/biome/bin/biome")
execFileSync(process.execPath, [biome, "format", "--write", target.pathname], { stdio: "inherit" })
