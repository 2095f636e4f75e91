import type { OpenRouteKey } from "../routes/route-key.ts"
import { SIGNATURE_LAMPORTS, swapAccountResource } from "../spend/assemble.ts"
import { EVENT_ACCOUNT_AT, MINT_AT } from "./accounts.ts"
import { findMintProblem, readOwnBurn } from "./burn-permissions.ts"
import { BURN_UNIT_LIMIT, MINT_UNIT_LIMITS } from "./limits.ts"
import { readBurnPermissions } from "./read-rules.ts"

/** Burns to our own accounts, and mints to them. */
export const openBurnKey: OpenRouteKey = (rules, place) => {
  const burns = readBurnPermissions(rules, place)
  if (burns === null) return null
  const { asset, accounts } = burns
  const messenger = accounts.messenger.toBase58()
  const transmitter = accounts.transmitter.toBase58()
  return {
    read: (plan, call) => {
      const program = call.program.address
      if (program === transmitter) {
        const problem = findMintProblem(burns, plan.account, call)
        if (problem !== null) return { problem }
        return {
          action: "redeem",
          unitLimits: MINT_UNIT_LIMITS,
          signers: 1,
          takesTable: true,
          spends: [],
          deposit: null,
          resources: [],
          opensAt: MINT_AT.usedNonce,
          rentUnits: NONCE_RENT_UNITS,
        }
      }
      if (program !== messenger) return null
      const burn = readOwnBurn(burns, plan, call)
      if (typeof burn === "string") return { problem: burn }
      return {
        action: "initiate",
        unitLimits: [BURN_UNIT_LIMIT],
        signers: 2,
        takesTable: false,
        spends: [{ asset, units: burn.units }],
        deposit: { secretHash: burn.terms, timelock: null },
        resources: [swapAccountResource(burn.eventAccount)],
        opensAt: EVENT_ACCOUNT_AT,
        rentUnits: EVENT_RENT_UNITS + SIGNATURE_LAMPORTS,
      }
    },
  }
}

/** Bytes and 128 of overhead, at 6960 lamports a byte. */
const EVENT_RENT_UNITS = (428n + 128n) * 6_960n
const NONCE_RENT_UNITS = (9n + 128n) * 6_960n
