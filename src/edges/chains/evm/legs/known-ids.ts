import type { Address, Hex } from "viem"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import type { TransactionPlace } from "../nodes/read-block.ts"

/** An id that follows from the leg's own terms, at one configured contract. */
export type DerivedId = {
  readonly htlc: Address
  readonly orderId: Hex
  readonly version: "v1" | "v2" | "v3"
}

type KnownLeg = DerivedId & { readonly initiated: TransactionPlace }

/**
 * What agreed looks have shown: the id of a leg's order and its initiation, and the formula by
 * which a contract makes ids. They narrow the questions of a look.
 */
export type KnownIds = {
  readonly ofLegs: Map<string, KnownLeg>
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

export function findKnown(known: KnownIds | undefined, query: LegQuery): KnownLeg | null {
  return known?.ofLegs.get(keyOfLeg(query)) ?? null
}

export function noteId(
  { ofLegs, formulas }: KnownIds,
  query: LegQuery,
  id: DerivedId,
  initiated: TransactionPlace,
): void {
  const [oldest] = ofLegs.keys()
  if (ofLegs.size >= MOST_LEGS && oldest !== undefined) ofLegs.delete(oldest)
  ofLegs.set(keyOfLeg(query), { ...id, initiated })
  formulas.set(id.htlc, id.version)
}

function keyOfLeg({ side, asset, secretHash, initiator, units }: LegQuery): string {
  return `${side} ${asset} ${secretHash} ${initiator} ${units}`
}
