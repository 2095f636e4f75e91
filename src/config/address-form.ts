import type { AddressForm } from "#schema/reference-world.ts"

/** What an address that can be paid looks like in a family; `null` for a family that there is not. */
export function addressForm(family: string | null): AddressForm | null {
  return family !== null && Object.hasOwn(FORMS, family) ? (FORMS[family] ?? null) : null
}

/** EIP-55 without its checksum, base58 of 32 bytes, a felt, a Bitcoin address. */
const FORMS: Readonly<Record<string, AddressForm>> = {
  evm: { pattern: /^0x[0-9a-fA-F]{40}$/, expected: "0x and 40 hex digits" },
  solana: { pattern: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/, expected: "a Solana address" },
  starknet: { pattern: /^0x[0-9a-fA-F]{1,64}$/, expected: "0x and up to 64 hex digits" },
  bitcoin: {
    pattern: /^((bc|tb|bcrt)1[02-9ac-hj-np-z]{11,87}|[13mn2][1-9A-HJ-NP-Za-km-z]{25,34})$/,
    expected: "a Bitcoin address",
  },
}
