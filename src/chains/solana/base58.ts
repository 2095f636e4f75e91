/** Base 58 with Bitcoin's alphabet, as Solana writes keys, signatures and the data of inner instructions. */
export const base58 = { encode, decode }

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

function encode(bytes: Uint8Array): string {
  let number = BigInt(`0x0${Buffer.from(bytes).toString("hex")}`)
  let text = ""
  while (number > 0n) {
    text = `${ALPHABET[Number(number % 58n)]}${text}`
    number /= 58n
  }
  const firstNonZero = bytes.findIndex((byte) => byte !== 0)
  return `${"1".repeat(firstNonZero === -1 ? bytes.length : firstNonZero)}${text}`
}

/** `null` for text with other characters. Every leading `1` is a zero byte. */
function decode(text: string): Buffer | null {
  let number = 0n
  for (const character of text) {
    const digit = ALPHABET.indexOf(character)
    if (digit === -1) return null
    number = number * 58n + BigInt(digit)
  }
  const hex = number === 0n ? "" : number.toString(16)
  const zeros = text.length - text.replace(/^1+/, "").length
  return Buffer.concat([Buffer.alloc(zeros), Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex")])
}
