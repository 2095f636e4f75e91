/** What signed bytes do, as a decoder of another project reads them. */
export type SignedThing = {
  readonly chain: string
  readonly order: string
  /** Of a deposit; `null` for anything else. */
  readonly secretHash: string | null
  /** The chain accepts one of the signatures that share one of these. */
  readonly exclusive: readonly string[]
  /** Signatures of one group exclude each other entirely. */
  readonly group: string
  /** The most that leaves, fees included. */
  readonly spends: readonly { readonly asset: string; readonly units: bigint }[]
  /** The amounts that the limit of one signature bounds. */
  readonly amounts: readonly { readonly asset: string; readonly units: bigint }[]
}

export type TestLimit = { readonly perSignature: bigint; readonly perHour: bigint }

/** Finds every breach of uniqueness and velocity among all things that were signed. */
export function findBreaches(
  things: readonly SignedThing[],
  limits: ReadonlyMap<string, TestLimit>,
): string[] {
  return [...findDoubles(things), ...findLarge(things, limits), ...findFast(things, limits)]
}

function findDoubles(things: readonly SignedThing[]): string[] {
  const deposits = things.filter(({ secretHash }) => secretHash !== null)
  return deposits.flatMap((one, index) =>
    deposits.slice(index + 1).flatMap((other) => {
      const shares =
        one.chain === other.chain && one.exclusive.some((name) => other.exclusive.includes(name))
      const sameDeal = one.secretHash === other.secretHash
      if ((sameDeal || one.order === other.order) && !shares)
        return [`two deposits of ${one.order}/${one.secretHash}`]
      return shares && !sameDeal ? [`two orders on ${one.exclusive.join()}`] : []
    }),
  )
}

function findLarge(
  things: readonly SignedThing[],
  limits: ReadonlyMap<string, TestLimit>,
): string[] {
  return things
    .flatMap(({ amounts }) => amounts)
    .filter(({ asset, units }) => units > (limits.get(asset)?.perSignature ?? 0n))
    .map(({ asset, units }) => `${units} of ${asset} in one signature`)
}

/**
 * All signatures of a test are made within one hour. Deposits keep to the limit alone. Refunds and
 * voids, and the redemptions of deposits, have a reserve of the same size each, so that deposits
 * cannot keep them back.
 */
function findFast(
  things: readonly SignedThing[],
  limits: ReadonlyMap<string, TestLimit>,
): string[] {
  const deposits = things.filter(({ secretHash }) => secretHash !== null)
  return [...limits].flatMap(([asset, { perHour }]) => {
    const total = sumUnits(things, asset)
    const deposited = sumUnits(deposits, asset)
    return [
      ...(total > 3n * perHour ? [`${total} of ${asset} in an hour`] : []),
      ...(deposited > perHour ? [`${deposited} of ${asset} in deposits of an hour`] : []),
    ]
  })
}

/** Of the signatures of one group only the largest can count. */
function sumUnits(things: readonly SignedThing[], asset: string): bigint {
  const byGroup = new Map<string, bigint>()
  for (const thing of things) {
    const units = thing.spends
      .filter((spend) => spend.asset === asset)
      .reduce((sum, spend) => sum + spend.units, 0n)
    const group = `${thing.chain}/${thing.group}`
    if (units > (byGroup.get(group) ?? 0n)) byGroup.set(group, units)
  }
  return [...byGroup.values()].reduce((sum, units) => sum + units, 0n)
}
