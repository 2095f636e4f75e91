/** A JSON object of the wire, of no known shape. */
export type Body = Readonly<Record<string, unknown>>

export function bodyOf(value: unknown): Body {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`no object: ${String(value)}`)
  // CAST: the check above says that it is an object.
  return value as Body
}

export function resultOf(body: unknown): unknown {
  return bodyOf(body)["result"]
}

export function resultList(body: unknown): readonly unknown[] {
  const result = resultOf(body)
  if (!Array.isArray(result)) throw new Error("result is no list")
  return result
}

export function listOf(body: unknown): readonly unknown[] {
  const { data } = bodyOf(resultOf(body))
  if (!Array.isArray(data)) throw new Error("data is no list")
  return data
}
