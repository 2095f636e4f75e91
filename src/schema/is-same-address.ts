/** Compares two spellings of an address as text: hex digits may be upper or lower case, and a felt may have leading zeros. */
export function isSameAddress(a: string, b: string): boolean {
  return normalize(a) === normalize(b)
}

function normalize(address: string): string {
  return address.startsWith("0x") ? address.toLowerCase().replace(/^0x0*/, "0x") : address
}
