/**
 * A change that verification accepts, and why it cannot cost money. `unsigned`: fields and extras
 * of the deposit that can differ, because no signed field depends on them.
 */
export type Harmless = {
  readonly path: RegExp
  readonly from?: RegExp
  readonly to?: RegExp
  readonly labels?: RegExp
  readonly why: string
  readonly unsigned?: readonly string[]
}

const SAME_AS_ABSENT = /^(missing|null)$/
const NOT_BITCOIN = /^(?!bitcoin)/

export const HARMLESS: readonly Harmless[] = [
  {
    path: /^order\.(\w+\.)?(created|updated|deleted)_at$|_timestamp$|_block_number$|\.asset_price$/,
    why: "display values: times, heights and prices come from our own clock, nodes and the quote",
  },
  {
    path: /\.(required|current)_confirmations$/,
    why: "our own configuration sets the required confirmations",
  },
  {
    path: /^order\.(nonce|version)$/,
    why: "an echo and a label: the id identifies the order, and our own node shows the HTLC",
  },
  {
    path: /^order\.(integrator|slippage)$/,
    why:
      "a name, and a bound that the service sets itself: both amounts are compared with the " +
      "quote's, to the unit",
  },
  {
    path: /^create\.typed_data\.message\.destinationData$/,
    why:
      "the type `Initiate` does not name it, so the signature does not cover it, and Ballast " +
      "drops it",
  },
  {
    path: /^create\.versioned_tx\[([1-9]|[1-5]\d|6[0-4])\]$/,
    why: "the 64 bytes of our own signature's slot: Ballast signs itself and uses none of them",
  },
  {
    path: /^create\.versioned_tx_gasless$/,
    why:
      "a transaction for the relay that differs from the deposit: it is never signed, and our " +
      "own transaction does not depend on it",
    unsigned: ["gaslessFindings"],
  },
  {
    path: /^order\.affiliate_fees$/,
    why:
      "affiliate fees are part of the quoted amounts, which are compared; the record's own " +
      "form is not documented",
  },
  {
    path: /^order\.deadline$/,
    labels: /^(missing|null|zero|\+1|-1)$/,
    why:
      "a second more or less; without a deadline our own window applies, and a late deposit is " +
      "refunded",
  },
  {
    path: /_swap\.chain$/,
    labels: SAME_AS_ABSENT,
    why: "the chain is the first half of the asset id, which is compared",
  },
  {
    path: /_swap\.(filled_amount|initiate_tx_hash|redeem_tx_hash|refund_tx_hash|secret)$/,
    labels: SAME_AS_ABSENT,
    why: "an absent field means an empty one, and it was empty",
  },
  {
    path: /_swap\.instant_refund_tx$/,
    why: "the service's own refund transaction: Ballast neither signs nor sends it",
  },
  {
    path: /^order\.source_swap\.initiator$/,
    from: /^bitcoin/,
    why:
      "some services send keys instead of addresses; another address is refused, and no value " +
      "is derived from it",
  },
  {
    path: /^order\.source_swap\.swap_id$/,
    from: NOT_BITCOIN,
    why:
      "a name: HTLCs are found on chain by secret hash, initiator and terms, so an unknown " +
      "version's formula must not stop us",
  },
  {
    path: /^order\.destination_swap\.swap_id$/,
    to: NOT_BITCOIN,
    why: "a name: the payout is found on chain by secret hash and owner",
  },
  {
    path: /^order\.destination_swap\.(initiator|delegate)$/,
    why:
      "the solver may fund the payout from any account: an order completes only when our own " +
      "node shows the payout",
  },
  {
    path: /^order\.destination_swap\.timelock$/,
    to: NOT_BITCOIN,
    labels: /^[+-]1$/,
    why: "every timelock within the bounds and the margin is acceptable; the terms state none",
  },
  {
    path: /^create\.(initiate_)?transaction\.gas_limit$/,
    why: "the gas limit that is signed is our own estimate",
    unsigned: ["gasLimitClaim"],
  },
  {
    path: /^create\.approval_transaction/,
    why:
      "the service's approval is never signed; ours is exact (one for another token or spender " +
      "is refused nevertheless)",
    unsigned: ["approvalNote"],
  },
  {
    path: /^create\.typed_data$/,
    labels: SAME_AS_ABSENT,
    why: "without typed data the gasless way is off; the transaction is verified by itself",
    unsigned: ["typedData", "hasTypedData"],
  },
  {
    path: /^create\.typed_data\.domain\.version$/,
    why: "the version is the deployment's own; no contract accepts a signature over another one",
    unsigned: ["typedData"],
  },
  {
    path: /^create\.typed_data\.(domain\.name|types\.(Initiate|StarknetDomain))$/,
    from: /^starknet/,
    labels: /^(swapped|empty|a word|longer|shorter|other character \d)$/,
    why:
      "SNIP-12 name and order of members are the deployment's own: no other contract accepts " +
      "the signature",
    unsigned: ["typedData"],
  },
  {
    path: /^create\.typed_data\.types\.EIP712Domain$/,
    labels: /^missing$/,
    why: "EIP-712 libraries derive the domain's type themselves",
  },
  {
    path: /\.(value|calldata\.3|amount\.high)$/,
    labels: /^longer$/,
    why: "0x0 and 0x00 are the same number",
    unsigned: ["typedData"],
  },
  {
    path: /^create\.versioned_tx\[(19[7-9]|20\d|21\d|22[0-8])\]$/,
    why:
      "the blockhash: ours is fresh, since the transaction is built anew from the decoded " +
      "fields",
  },
]

export function explain(
  { from, to }: { from: string; to: string },
  { path, label }: { path: string; label: string },
): { readonly why: string; readonly unsigned: readonly string[] } | null {
  const fits = (rule: RegExp | undefined, text: string): boolean =>
    rule === undefined || rule.test(text)
  const found = HARMLESS.find(
    (entry) =>
      entry.path.test(path) &&
      fits(entry.from, from) &&
      fits(entry.to, to) &&
      fits(entry.labels, label),
  )
  return found ? { why: found.why, unsigned: found.unsigned ?? [] } : null
}
