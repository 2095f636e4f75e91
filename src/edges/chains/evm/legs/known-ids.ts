import type { Address, Hex } from "viem"
import type { LegQuery } from "#ports/chain.ts"

/** An id that follows from the leg's own terms, at one configured contract. */
export type DerivedId = {
  readonly htlc: Address
  readonly orderId: Hex
  readonly version: "v1" | "v2" | "v3"
}

/**
 * What agreed looks have shown: the id of a leg's order, and the formula by which a contract makes
 * ids. They narrow the questions of a look.
 */
export type KnownIds = {
  readonly ofLegs: Map<string, DerivedId>
  readonly formulas: Map<Address, DerivedId["version"]>
}

export function createKnownIds(): KnownIds {
  return { ofLegs: new Map(), formulas: new Map() }
}

/** The ids that a look asks for in turn, until one is stored, of all that may be the leg's. */
export function planQuestions(
  known: KnownIds | undefined,
  query: LegQuery,
  ids: readonly DerivedId[],
): readonly (readonly DerivedId[])[] {
  if (known === undefined) return [ids]
  const likely = ids.filter(({ htlc, version }) => isFormula(known, htlc, version))
  const own = known.ofLegs.get(keyOfLeg(query))
  if (own === undefined) return [likely]
  // After a reorganisation the order may be at another contract.
  const isOwn = ({ htlc, version }: DerivedId): boolean =>
    htlc === own.htlc && version === own.version
  return [ids.filter(isOwn), ids.filter((id) => !isOwn(id))]
}

function isFormula({ formulas }: KnownIds, htlc: Address, version: DerivedId["version"]): boolean {
  return (formulas.get(htlc) ?? version) === version
}

/** The oldest leaves first; it is only searched again. */
const MOST_LEGS = 10_000

export function noteId({ ofLegs, formulas }: KnownIds, query: LegQuery, id: DerivedId): void {
  const [oldest] = ofLegs.keys()
  if (ofLegs.size >= MOST_LEGS && oldest !== undefined) ofLegs.delete(oldest)
  ofLegs.set(keyOfLeg(query), id)
  formulas.set(id.htlc, id.version)
}

function keyOfLeg({ side, asset, secretHash, initiator, units }: LegQuery): string {
  return `${side} ${asset} ${secretHash} ${initiator} ${units}`
}
