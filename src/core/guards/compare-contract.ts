import type { ChainId } from "#domain/asset.ts"
import type { ContractIdentity, PinnedContract } from "#domain/contract-identity.ts"
import { ABSENT } from "#domain/contract-identity.ts"
import type { Reason } from "#domain/reason.ts"

/**
 * Compares a contract with its pin. Returns one reason for each pinned value that differs.
 *
 * A value that the pin does not name is not compared, so a pin of the authority alone accepts every
 * program of that authority.
 */
export function compareContract(
  chain: ChainId,
  pinned: PinnedContract,
  found: ContractIdentity,
): readonly Reason[] {
  return Object.entries(pinned.identity)
    .map(([name, expected]) => ({ name, expected, found: found[name] ?? ABSENT }))
    .filter((value) => value.expected !== value.found)
    .map(({ name, expected, found: now }) => ({
      code: "verify.contract_changed",
      message: `The contract ${pinned.htlc} on ${chain} is not the pinned one: its ${name} differs`,
      htlc: pinned.htlc,
      expected,
      found: now,
    }))
}
