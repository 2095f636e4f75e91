/**
 * The function `make`, which computes each answer once. `make` is pure, so a remembered answer
 * stays true. After `most` keys it computes further answers anew, so that foreign keys cannot fill
 * the memory.
 */
export function remember<Key, Value>(
  make: (key: Key) => Value,
  most = Number.POSITIVE_INFINITY,
): (key: Key) => Value {
  const known = new Map<Key, { readonly value: Value }>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found.value
    const value = make(key)
    if (known.size < most) known.set(key, { value })
    return value
  }
}
