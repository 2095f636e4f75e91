import { pbkdf2Sync } from "node:crypto"
import { generateMnemonic, validateMnemonic } from "@scure/bip39"
import { wordlist } from "@scure/bip39/wordlists/english.js"
import { normaliseWords, splitMnemonic } from "./mnemonic-text.ts"

/**
 * The seed of a BIP-39 mnemonic and the index of the account, as a keystore holds them for every
 * family.
 */
export type SeededAccount = { readonly seed: Uint8Array; readonly index: number }

/**
 * Reads the text of a keystore's mnemonic (`formatMnemonic`); `null` for any other, such as a key
 * in a family's own form.
 */
export function readMnemonic(text: string): SeededAccount | null {
  const found = splitMnemonic(text)
  if (found === null || !isMnemonic(found.words)) return null
  return { seed: seedOf(found.words), index: found.index }
}

/**
 * PBKDF2 as BIP-39 states it, without a passphrase. The system's own is fourteen times as fast as
 * one in JavaScript, and each family of a wallet asks for it. Valid words have only letters, so
 * they are in the form NFKD already.
 */
function seedOf(words: string): Uint8Array {
  return pbkdf2Sync(normaliseWords(words), "mnemonic", 2_048, 64, "sha512")
}

/** 24 new words: 256 bits from the system's source of randomness. */
export function createMnemonic(): string {
  return generateMnemonic(wordlist, 256)
}

/** 12 to 24 words of the English list with the right checksum (BIP-39). */
export function isMnemonic(words: string): boolean {
  return validateMnemonic(normaliseWords(words), wordlist)
}
