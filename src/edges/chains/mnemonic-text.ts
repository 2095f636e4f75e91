const FORM = /^bip39 (\d{1,6}) ([a-z ]+)$/

/** The text in which a keystore gives its mnemonic to a family: `bip39 INDEX WORDS`. */
export function formatMnemonic(words: string, index: number): string {
  return `bip39 ${index} ${normaliseWords(words)}`
}

/** Index and words of that text; `null` for any other. The words need not be a mnemonic. */
export function splitMnemonic(
  text: string,
): { readonly index: number; readonly words: string } | null {
  const [, index, words] = FORM.exec(text) ?? []
  return index === undefined || words === undefined ? null : { index: Number(index), words }
}

export function normaliseWords(words: string): string {
  return words.trim().toLowerCase().split(/\s+/).join(" ")
}
