import { type Address, concatHex, type Hex, toHex } from "viem"
import type { OpenRouteKey, RouteCall } from "#chains/evm/routes/route-key.ts"
import { requireAddress } from "#chains/evm/wallet.ts"
import { chainOf } from "#domain/asset.ts"

export const SELECTORS = { deposit: "0x70790001", payout: "0x70790002" } as const

export function encodeVault(name: keyof typeof SELECTORS, payee: Address, units: bigint): Hex {
  return concatHex([
    SELECTORS[name],
    toHex(BigInt(payee), { size: 32 }),
    toHex(units, { size: 32 }),
  ])
}

function readVault(name: keyof typeof SELECTORS, vault: Address, call: RouteCall) {
  const isCall = call.to === vault && call.value === 0n && call.data.length === 138
  if (!isCall || !call.data.startsWith(SELECTORS[name])) return null
  return { payee: `0x${call.data.slice(34, 74)}`, units: BigInt(`0x${call.data.slice(74)}`) }
}

/** The key deposits for our own accounts, and takes payouts to the one of this chain. */
export const openToyKey: OpenRouteKey = (rules, { chain }) => {
  const asset = rules.assets.find((id) => chainOf(id) === chain)
  const text = rules.contracts?.get(chain)?.["vault"]
  if (asset === undefined || text === undefined) return null
  const vault = requireAddress(text)
  const own = [...rules.payees.values()].flat().map((account) => account.toLowerCase())
  const isOwn = (call: { readonly payee: string } | null) =>
    call !== null && own.includes(call.payee)
  return {
    asset,
    readDeposit: (call) => {
      const deposit = readVault("deposit", vault, call)
      return deposit !== null && isOwn(deposit) ? deposit.units : null
    },
    isRedemption: (call) => isOwn(readVault("payout", vault, call)),
    isSpender: (_token, spender) => requireAddress(spender) === vault,
  }
}
