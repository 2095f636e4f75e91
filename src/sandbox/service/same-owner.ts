/** Hex addresses are compared as numbers (EVM checksums differ in case, Starknet felts in padding), everything else to the letter. */
export function sameOwner(a: string, b: string): boolean {
  if (a === b) return true
  return isHex(a) && isHex(b) && BigInt(a) === BigInt(b)
}

function isHex(text: string): boolean {
  return /^0x[0-9a-fA-F]+$/.test(text)
}
