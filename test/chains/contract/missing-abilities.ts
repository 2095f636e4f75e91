import type { Variant } from "./bench.ts"

/**
 * Abilities that a family lacks, with the reason. For each, the suite tests that the family itself
 * refuses.
 */
export const MISSING_ABILITIES = {
  approval: {
    "bitcoin p2wpkh": "a payment needs no allowance",
    "bitcoin p2tr": "a payment needs no allowance",
    "evm native": "the deposit itself carries native funds",
    solana: "the signature over the instruction is the allowance",
    "solana token": "the signature over the instruction is the allowance",
  },
  mempool: {
    solana:
      "a local validator confirms within the slot, so no test can observe a pending transaction",
    "solana token":
      "a local validator confirms within the slot, so no test can observe a pending transaction",
  },
  bump: {
    solana:
      "a second signature is legal only after the first blockhash has expired; the engine " +
      "plans anew",
    "solana token":
      "a second signature is legal only after the first blockhash has expired; the engine " +
      "plans anew",
  },
  void: {
    solana: "only the expiry of its blockhash excludes a signed transaction",
    "solana token": "only the expiry of its blockhash excludes a signed transaction",
  },
  gasless: {
    "bitcoin p2wpkh": "there is no typed data",
    "bitcoin p2tr": "there is no typed data",
    "evm native": "a contract cannot pull native funds on a signature",
    solana: "the program takes the rent from us, and not from the relay",
  },
  relayedRefund: {
    "bitcoin p2wpkh": "only we can refund, because the refund key is ours",
    "bitcoin p2tr": "only we can refund, because the refund key is ours",
  },
  redeemBump: {
    solana:
      "a second signature is legal only after the first blockhash has expired; the engine " +
      "plans anew",
    "solana token":
      "a second signature is legal only after the first blockhash has expired; the engine " +
      "plans anew",
  },
  urgentFee: {
    solana: "a local validator asks for no priority fee",
    "solana token": "a local validator asks for no priority fee",
  },
  dearFee: {
    "bitcoin p2wpkh": "a local node without traffic estimates no fee rate",
    "bitcoin p2tr": "a local node without traffic estimates no fee rate",
    solana: "a local validator asks for no priority fee",
    "solana token": "a local validator asks for no priority fee",
  },
  secondDeposit: {
    solana: "the resource is the swap account itself, so a second transaction for it is refused",
    "solana token":
      "the resource is the swap account itself, so a second transaction for it is refused",
  },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<Variant, string>>>>>

export type Ability = keyof typeof MISSING_ABILITIES

/** `null` where the family has the ability. */
export function whyNot(ability: Ability, variant: Variant): string | null {
  const reasons: Readonly<Partial<Record<Variant, string>>> = MISSING_ABILITIES[ability]
  return reasons[variant] ?? null
}

export function describeSkips(): string {
  return Object.entries(MISSING_ABILITIES)
    .flatMap(([ability, reasons]) =>
      Object.entries(reasons).map(([variant, why]) => `${ability} · ${variant}: ${why}`),
    )
    .join("\n")
}
