/**
 * Compares hex addresses as numbers, because EVM checksums differ in case and Starknet felts in
 * padding. Other texts must be equal.
 */
export function sameOwner(a: string, b: string): boolean {
  if (a === b) return true
  return isHex(a) && isHex(b) && BigInt(a) === BigInt(b)
}

function isHex(text: string): boolean {
  return /^0x[0-9a-fA-F]+$/.test(text)
}
