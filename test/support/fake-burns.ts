/*
 * Burns and mints of a fake ledger: the contracts of an issuer that destroys a token on one chain
 * and creates it on another.
 */

/** What a burn says, and its message repeats. */
export type BurnTerms = {
  /** The name of its order; a stranger may copy everything else. */
  readonly dealKey: string
  readonly asset: string
  readonly units: bigint
  /** The asset and the account on the other chain. */
  readonly to: string
  readonly payee: string
  /** The least that is minted. */
  readonly floorUnits: bigint
  readonly token: boolean
}

export type BurnAction = {
  readonly kind: "burn"
  readonly burn: BurnTerms
  readonly payer: "wallet" | "stranger"
}

export type MintAction = {
  readonly kind: "mint"
  readonly nonce: string
  readonly burn: BurnTerms
  readonly units: bigint
  /** The attesters have signed exactly this. */
  readonly isSigned: boolean
}

export type Burnt = BurnTerms & { readonly payer: BurnAction["payer"]; readonly height: bigint }
export type Minted = {
  readonly txid: string
  readonly height: bigint
  readonly units: bigint
  readonly burn: BurnTerms
}

export type LedgerBurns = {
  /** By transaction. */
  readonly burns: Map<string, Burnt>
  /** By nonce: each is used once. */
  readonly mints: Map<string, Minted>
}

type Balances = LedgerBurns & {
  readonly balances: Map<string, bigint>
  readonly allowances: Map<string, bigint>
}

/** The contract that burns, and so the spender of the allowance. */
export const MESSENGER = "0xmessenger"

export function burn(
  { allowances, balances, burns }: Balances,
  txid: string,
  { burn: terms, payer }: BurnAction,
  height: bigint,
): boolean {
  if (payer === "wallet") {
    const { asset, units, token } = terms
    const allowance = `${asset}/${MESSENGER}`
    const allowed = allowances.get(allowance) ?? 0n
    const balance = balances.get(asset) ?? 0n
    if ((token && allowed < units) || balance < units) return false
    if (token) allowances.set(allowance, allowed - units)
    balances.set(asset, balance - units)
  }
  burns.set(txid, { ...terms, payer, height })
  return true
}

/** Whoever sends it, it pays the payee of the burn: always our wallet here. */
export function mint(
  { balances, mints }: Balances,
  txid: string,
  { nonce, burn: terms, units, isSigned }: MintAction,
  height: bigint,
): boolean {
  if (!isSigned || mints.has(nonce)) return false
  mints.set(nonce, { txid, height, units, burn: terms })
  balances.set(terms.to, (balances.get(terms.to) ?? 0n) + units)
  return true
}
