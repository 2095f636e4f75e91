import { encodeDeployData, encodeFunctionData, getContractAddress, type Hex, parseAbi } from "viem"
import { assert } from "#lib/assert.ts"
import type { ContractsVersion, LocalAsset } from "../local-chain.ts"
import artifacts from "./contracts/artifacts.json" with { type: "json" }
import type { Sender } from "./create-sender.ts"
import type { EvmClient } from "./evm-client.ts"
import { CONTRACTS, htlcAbi } from "./htlc-abi.ts"
import { tokenAbi } from "./token-abi.ts"

/** An asset of a local EVM chain: the native one, or a token that the sandbox deploys. */
export type EvmAssetOption =
  | { readonly symbol: string; readonly native: true }
  | { readonly symbol: string; readonly decimals: number }

export type EvmAsset = LocalAsset & { readonly token: Hex | null; readonly htlc: Hex }

/**
 * Deploys an HTLC for each asset, and a token for each asset that is not native. Mints tokens for
 * the solver and approves the HTLCs.
 *
 * The deployer starts at nonce 0, so the same assets in the same order have the same addresses on
 * every start. All transactions go to the mempool first, and one call of `mine` mines them.
 */
export async function deployAssets(options: {
  client: EvmClient
  name: string
  assets: readonly EvmAssetOption[]
  version: ContractsVersion
  deployer: Sender
  solver: Sender
  mine: () => Promise<void>
}): Promise<readonly EvmAsset[]> {
  const { deployer, solver, mine, version } = options
  const deployed = listDeployed(options)
  const hashes: Hex[] = []
  for (const { id, token, decimals } of deployed) {
    if (token !== null)
      hashes.push(
        await deployer.sendUnchecked({ data: tokenDeployment(id.split(":")[1] ?? id, decimals) }),
      )
    hashes.push(await deployer.sendUnchecked({ data: htlcDeployment(version, token) }))
  }
  for (const { token, htlc, decimals } of deployed) {
    if (token === null) continue
    const plenty = 10n ** BigInt(decimals + 12)
    if (version === "v3") {
      // A contract of version 3 gets its token by a call that any account may make once.
      const data = encodeFunctionData({ abi: htlcAbi, functionName: "initialise", args: [token] })
      hashes.push(await solver.sendUnchecked({ to: htlc, data }))
    }
    hashes.push(await deployer.sendUnchecked(tokenCall(token, "mint", solver.address, plenty)))
    hashes.push(await solver.sendUnchecked(tokenCall(token, "approve", htlc, MAX_UINT256)))
  }
  await mine()
  for (const hash of hashes) {
    const receipt = await options.client.waitForTransactionReceipt({ hash })
    assert(receipt.status === "success", `setting up ${options.name} failed`, { hash })
  }
  return deployed
}

/**
 * The assets that `deployAssets` deployed on a chain that now starts from its saved state. It sends
 * no transaction.
 */
export function listDeployed(options: {
  name: string
  assets: readonly EvmAssetOption[]
  deployer: Sender
}): readonly EvmAsset[] {
  let nonce = 0n
  const next = (): Hex => getContractAddress({ from: options.deployer.address, nonce: nonce++ })
  return options.assets.map((asset) => {
    const id = `${options.name}:${asset.symbol}`
    if ("native" in asset) return { id, decimals: 18, token: null, htlc: next() }
    const token = next()
    return { id, decimals: asset.decimals, token, htlc: next() }
  })
}

/** Only the sandbox's solver approves an unlimited allowance, because its tokens are worthless. */
const MAX_UINT256 = 2n ** 256n - 1n

function tokenCall(
  to: Hex,
  functionName: "mint" | "approve",
  party: Hex,
  units: bigint,
): { to: Hex; data: Hex } {
  return { to, data: encodeFunctionData({ abi: tokenAbi, functionName, args: [party, units] }) }
}

/** USDC has an issuer, as live: the routes burn and mint it. */
function tokenDeployment(symbol: string, decimals: number): Hex {
  if (symbol === "usdc") return bytecodeOf("UsdcLike")
  const abi = parseAbi(["constructor(string name, string symbol, uint8 decimals)"])
  const args = [`Sandbox ${symbol}`, symbol.toUpperCase(), decimals] as const
  return encodeDeployData({ abi, bytecode: bytecodeOf("Token"), args })
}

function htlcDeployment(version: ContractsVersion, token: Hex | null): Hex {
  const names = CONTRACTS[version]
  const bytecode = bytecodeOf(token === null ? names.native : names.token)
  if (token === null || version === "v3") return bytecode
  return encodeDeployData({
    abi: parseAbi(["constructor(address token)"]),
    bytecode,
    args: [token],
  })
}

function bytecodeOf(name: keyof typeof artifacts.contracts): Hex {
  // CAST: compile.ts writes every bytecode as 0x-hex.
  return artifacts.contracts[name].bytecode as Hex
}
