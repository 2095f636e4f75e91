import type { Variant } from "./bench.ts"

/** Where a family does not do what the suite asks for, and why. Each of these has a test that it says so itself. */
export const NOT_SO = {
  approval: {
    "bitcoin p2wpkh": "a payment needs no allowance",
    "bitcoin p2tr": "a payment needs no allowance",
    "evm native": "native funds are sent along, nobody pulls them",
    solana: "the signature over the instruction is the allowance",
  },
  mempool: {
    solana: "a local validator confirms within the slot: pending is too short to be seen",
  },
  bump: {
    solana: "a second signature is legal only once the first blockhash has expired; the engine plans anew",
  },
  void: {
    solana: "nothing excludes a signed transaction but the end of its blockhash",
  },
  gasless: {
    "bitcoin p2wpkh": "there is no typed data",
    "bitcoin p2tr": "there is no typed data",
    "evm native": "native funds cannot be pulled on a signature",
    solana: "there is no typed data",
  },
  relayedRefund: {
    "bitcoin p2wpkh": "the refund key is ours: nobody else can refund",
    "bitcoin p2tr": "the refund key is ours: nobody else can refund",
  },
  secondDeposit: {
    solana: "the claim is the swap account itself: a second move for it is refused",
  },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<Variant, string>>>>>

export type Ability = keyof typeof NOT_SO

/** `null` where the family does it. */
export function whyNot(ability: Ability, variant: Variant): string | null {
  const reasons: Readonly<Partial<Record<Variant, string>>> = NOT_SO[ability]
  return reasons[variant] ?? null
}

export function describeSkips(): string {
  return Object.entries(NOT_SO)
    .flatMap(([ability, reasons]) => Object.entries(reasons).map(([variant, why]) => `${ability} · ${variant}: ${why}`))
    .join("\n")
}
