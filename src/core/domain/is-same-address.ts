/**
 * Compares two spellings of an address as text: hex digits may be upper or lower case, and a felt
 * may have leading zeros.
 */
export function isSameAddress(a: string, b: string): boolean {
  return normalise(a) === normalise(b)
}

function normalise(address: string): string {
  return address.startsWith("0x") ? address.toLowerCase().replace(/^0x0*/, "0x") : address
}
