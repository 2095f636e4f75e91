import type { SandboxSummary } from "../../src/app/cli/demo/demo-config.ts"
import { SANDBOX_WALLETS } from "../../src/lab/sandbox/sandbox-wallets.ts"

type Chain = SandboxSummary["chains"][number]

/**
 * The sandbox wallet's balance of an asset in smallest units, by plain RPC and without Ballast's
 * own chain code.
 */
export async function readBalance(chain: Chain, asset: string): Promise<bigint> {
  const { token } = chain.assets.find(({ id }) => id === asset) ?? { token: null }
  switch (chain.family) {
    case "bitcoin":
      return readBitcoin(chain.url)
    case "evm":
      return readEvm(chain.url, token)
    case "solana":
      return readSolana(chain.url, token)
    default:
      return readStarknet(chain.url, token ?? "0x0")
  }
}

/** Confirmed and unconfirmed coins, because unconfirmed change belongs to the wallet. */
async function readBitcoin(url: string): Promise<bigint> {
  const answer = await fetch(`${url}/address/${SANDBOX_WALLETS.bitcoin}/utxo`)
  const coins = (await answer.json()) as { value: number }[]
  return coins.reduce((sum, { value }) => sum + BigInt(value), 0n)
}

/** The balance of an account in an ERC-20 token on one of the sandbox's EVM chains. */
export async function readTokenBalance(
  { chains }: SandboxSummary,
  asset: string,
  owner: string,
): Promise<bigint> {
  const chain = chains.find(({ assets }) => assets.some(({ id }) => id === asset))
  const token = chain?.assets.find(({ id }) => id === asset)?.token ?? null
  if (!chain || token === null) throw new Error(`The sandbox has no token ${asset}`)
  return readEvm(chain.url, token, owner)
}

async function readEvm(
  url: string,
  token: string | null,
  owner: string = SANDBOX_WALLETS.evm,
): Promise<bigint> {
  if (token === null) return BigInt((await rpc(url, "eth_getBalance", [owner, "latest"])) as string)
  const data = `0x70a08231${owner.slice(2).toLowerCase().padStart(64, "0")}`
  return BigInt((await rpc(url, "eth_call", [{ to: token, data }, "latest"])) as string)
}

/** A token's balance is that of all token accounts of the wallet. */
async function readSolana(url: string, token: string | null): Promise<bigint> {
  const at = { commitment: "confirmed" }
  if (token === null) {
    const { value } = (await rpc(url, "getBalance", [SANDBOX_WALLETS.solana, at])) as {
      value: number
    }
    return BigInt(value)
  }
  const params = [SANDBOX_WALLETS.solana, { mint: token }, { ...at, encoding: "jsonParsed" }]
  type Found = { account: { data: { parsed: { info: { tokenAmount: { amount: string } } } } } }
  const { value } = (await rpc(url, "getTokenAccountsByOwner", params)) as { value: Found[] }
  return value.reduce(
    (sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount),
    0n,
  )
}

/** Calls `balance_of` by its selector (starknet keccak). */
async function readStarknet(url: string, token: string): Promise<bigint> {
  const selector = "0x35a73cd311a05d46deda634c5ee045db92f811b4e74bca4437fcb5302b7af33"
  const request = {
    contract_address: token,
    entry_point_selector: selector,
    calldata: [SANDBOX_WALLETS.starknet],
  }
  const [low = "0x0", high = "0x0"] = (await rpc(url, "starknet_call", [
    request,
    "latest",
  ])) as string[]
  return BigInt(low) + (BigInt(high) << 128n)
}

async function rpc(url: string, method: string, params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  })
  const { result, error } = (await answer.json()) as {
    result?: unknown
    error?: { message: string }
  }
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}
