import type { ContractIdentity, PinnedContract } from "#domain/contract-identity.ts"
import type { Reason } from "#domain/reason.ts"

/** One reason for each reviewed contract that is another one now, such as after an upgrade. */
export async function findUpgrades(
  pinned: readonly PinnedContract[],
  readIdentity: (contract: string) => Promise<ContractIdentity>,
): Promise<readonly Reason[]> {
  const found = pinned.map(async ({ htlc, identity }) => {
    const now = await readIdentity(htlc)
    const isSame = Object.entries(identity).every(([name, value]) => now[name] === value)
    return isSame ? [] : [upgraded(htlc)]
  })
  return (await Promise.all(found)).flat()
}

function upgraded(contract: string): Reason {
  const message =
    `The contract ${contract} is not the reviewed one any more, so nothing is burnt: read its ` +
    "new code, then pin it anew"
  return { code: "cctp.implementation_changed", message, contract }
}
