/** More addresses than the wallets and the services of a treasury have. */
const MOST_TEXTS = 1_000

const known = new Map<string, string>()

/**
 * The same text, in the memory of an equal one that was given before. Every decoded order has
 * copies of the same few addresses and assets, and what is kept of a hundred thousand open orders
 * must not keep those copies.
 */
export function shareText<Text extends string | null>(text: Text): Text {
  if (text === null) return text
  const found = known.get(text)
  // CAST: the text found is equal to the given one.
  if (found !== undefined) return found as Text
  if (known.size >= MOST_TEXTS) known.clear()
  known.set(text, text)
  return text
}
