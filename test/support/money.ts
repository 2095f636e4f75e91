import type { AssetId } from "#domain/asset.ts"
import type { FakeLedger } from "./fake-ledger.ts"
import { ARB, BTC, type World } from "./fake-world.ts"

const START_UNITS = 1_000_000n

/**
 * The loss of a wallet since its start, without network fees. Twice the order's amount means a
 * double deposit.
 */
export function lostUnits(world: World, asset: AssetId): bigint {
  const ledger = ledgerOf(world, asset)
  const fees = ledger.native === asset ? paidFees(ledger) : 0n
  return START_UNITS - (ledger.state().balances.get(asset) ?? 0n) - fees
}

export function ledgerOf(world: World, asset: AssetId): FakeLedger {
  if (asset === BTC) return world.bitcoin
  return asset === ARB ? world.arbitrum : world.evm
}

/** The sum of the remaining allowances of all tokens and spenders. */
export function leftAllowance(world: World): bigint {
  return [...world.evm.state().allowances.values()].reduce((sum, units) => sum + units, 0n)
}

function paidFees(ledger: FakeLedger): bigint {
  const kinds = ["approve", "initiate", "refund", "void"] as const
  return kinds.flatMap((kind) => ledger.mined(kind)).reduce((sum, { fee }) => sum + fee, 0n)
}
