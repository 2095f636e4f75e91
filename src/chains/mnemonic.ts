import { generateMnemonic, mnemonicToSeedSync, validateMnemonic } from "@scure/bip39"
import { wordlist } from "@scure/bip39/wordlists/english"

/** The seed of a BIP-39 mnemonic and the index of the account, as a keystore holds them for every family. */
export type SeededAccount = { readonly seed: Uint8Array; readonly index: number }

const FORM = /^bip39 (\d{1,6}) ([a-z ]+)$/

/** The text in which a keystore gives its mnemonic to a family: `bip39 INDEX WORDS`. */
export function formatMnemonic(words: string, index: number): string {
  return `bip39 ${index} ${normaliseWords(words)}`
}

/** Reads that text; `null` for any other, such as a key in a family's own form. */
export function readMnemonic(text: string): SeededAccount | null {
  const [, index, words] = FORM.exec(text) ?? []
  if (index === undefined || words === undefined || !isMnemonic(words)) return null
  return { seed: mnemonicToSeedSync(words), index: Number(index) }
}

/** 24 new words: 256 bits from the system's source of randomness. */
export function createMnemonic(): string {
  return generateMnemonic(wordlist, 256)
}

/** 12 to 24 words of the English list with the right checksum (BIP-39). */
export function isMnemonic(words: string): boolean {
  return validateMnemonic(normaliseWords(words), wordlist)
}

function normaliseWords(words: string): string {
  return words.trim().toLowerCase().split(/\s+/).join(" ")
}
