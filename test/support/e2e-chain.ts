import type { SandboxSummary } from "../../src/app/cli/demo/demo-config.ts"
import { readBalance } from "./read-balance.ts"

export type Chain = SandboxSummary["chains"][number]
type Chains = { readonly chains: readonly Chain[] }

export function chainOf({ chains }: Chains, asset: string): Chain {
  const found = chains.find(({ name }) => name === asset.split(":")[0])
  if (!found) throw new Error(`no chain for ${asset}`)
  return found
}

/**
 * The balances of the sandbox wallets in all assets of the sandbox, read by plain RPC: smallest
 * units by asset id.
 */
export async function readBalances(sandbox: Chains): Promise<Record<string, bigint>> {
  const reads = sandbox.chains.flatMap((chain) =>
    chain.assets.map(async ({ id }) => [id, await readBalance(chain, id)] as const),
  )
  return Object.fromEntries(await Promise.all(reads))
}

export async function callRpc(url: string, method: string, params: unknown): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  })
  // CAST: JSON-RPC 2.0.
  const { result, error } = (await answer.json()) as {
    result?: unknown
    error?: { message: string }
  }
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}
