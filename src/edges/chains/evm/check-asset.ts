import { type Address, BaseError, parseAbi, zeroAddress } from "viem"
import type { Asset } from "#domain/asset.ts"
import type { Finding } from "#domain/deposit.ts"
import { findCoinFaults, type NativeCoin } from "#domain/native-coin.ts"
import { AppError } from "#lib/app-error.ts"
import { NATIVE_TOKEN } from "./identify-contract.ts"
import { isReverted } from "./nodes/dialect.ts"
import type { At } from "./rpc.ts"
import { htlcsOf, tokenOf } from "./wallet.ts"

/**
 * Compares an asset's configuration with the chain at one block: code at the token and at each
 * HTLC, the token's `decimals()`, and the `token()` of each HTLC.
 */
export async function findAssetFaults(
  asset: Asset,
  coin: NativeCoin,
  at: At,
): Promise<readonly Finding[]> {
  const token = tokenOf(asset)
  const ofToken =
    token === null ? findCoinFaults(asset, coin) : await findTokenFaults(asset, token, at)
  const ofHtlcs = await Promise.all(htlcsOf(asset).map((htlc) => findHtlcFaults(htlc, token, at)))
  return [...ofToken, ...ofHtlcs.flat()]
}

const viewAbi = parseAbi([
  "function decimals() view returns (uint8)",
  "function token() view returns (address)",
])

async function findTokenFaults(asset: Asset, token: Address, at: At): Promise<Finding[]> {
  if (!(await hasCode(token, at))) return [absent("token", token)]
  const found = await readView(at, token, "decimals")
  return judgeDecimals(asset, typeof found === "number" ? found : null)
}

function judgeDecimals({ decimals, token }: Asset, found: number | null): Finding[] {
  if (found === decimals) return []
  const message =
    "the token has other decimals, so that every amount would be wrong; correct decimals or " +
    "token of the asset"
  const shown = found === null ? `no decimals() at ${token}` : `${found} decimals`
  return [
    { code: "asset.decimals_differ", message, expected: `${decimals} decimals`, found: shown },
  ]
}

/** A native HTLC names the usual placeholder of the coin, or the zero address. */
async function findHtlcFaults(htlc: Address, token: Address | null, at: At): Promise<Finding[]> {
  if (!(await hasCode(htlc, at))) return [absent("HTLC", htlc)]
  const found = await readView(at, htlc, "token")
  const accepted = token === null ? [NATIVE_TOKEN, zeroAddress] : [token]
  if (typeof found === "string" && accepted.includes(found)) return []
  const message =
    "the HTLC holds another token than the asset's; correct htlc or token of the asset"
  const shown = typeof found === "string" ? found : `no token() at ${htlc}`
  return [
    { code: "asset.htlc_token", message, expected: token ?? "the chain's own coin", found: shown },
  ]
}

function absent(what: string, address: Address): Finding {
  const problem = `the configured ${what} is not a contract on this chain`
  const message = `${problem}; correct its address or the chain`
  return {
    code: "asset.no_contract",
    message,
    expected: `a contract at ${address}`,
    found: "no code",
  }
}

async function hasCode(address: Address, { client, height: blockNumber }: At): Promise<boolean> {
  const code = await client.getCode({ address, blockNumber })
  return code !== undefined && code !== "0x"
}

/**
 * `null` where the contract has no such view, or answers in another form. A node without an answer
 * is an error.
 */
async function readView(
  { client, height: blockNumber }: At,
  address: Address,
  functionName: "decimals" | "token",
): Promise<number | string | null> {
  try {
    return await client.readContract({ address, abi: viewAbi, functionName, blockNumber })
  } catch (error) {
    if (isContractsAnswer(error)) return null
    throw error
  }
}

/**
 * A revert, or bytes of another form. viem wraps the errors of our transport; an error without one
 * is about the answer itself.
 */
function isContractsAnswer(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause)
    if (each instanceof AppError) return isReverted(each)
  return error instanceof BaseError
}
