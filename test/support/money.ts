import type { AssetId } from "#domain/asset.ts"
import type { FakeLedger } from "./fake-ledger.ts"
import { ARB, BTC, type World } from "./fake-world.ts"

const START_UNITS = 1_000_000n

/** What a wallet has less of than at the beginning, network fees set aside. Twice the amount is a double deposit. */
export function lostUnits(world: World, asset: AssetId): bigint {
  const ledger = ledgerOf(world, asset)
  const fees = ledger.native === asset ? paidFees(ledger) : 0n
  return START_UNITS - (ledger.state().balances.get(asset) ?? 0n) - fees
}

export function ledgerOf(world: World, asset: AssetId): FakeLedger {
  if (asset === BTC) return world.bitcoin
  return asset === ARB ? world.arbitrum : world.evm
}

/** Allowances that are left, of all tokens and spenders. */
export function leftAllowance(world: World): bigint {
  return [...world.evm.state().allowances.values()].reduce((sum, units) => sum + units, 0n)
}

function paidFees(ledger: FakeLedger): bigint {
  const kinds = ["approve", "initiate", "refund", "void"] as const
  return kinds.flatMap((kind) => ledger.mined(kind)).reduce((sum, { fee }) => sum + fee, 0n)
}
