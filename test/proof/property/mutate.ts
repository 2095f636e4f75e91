/**
 * One change of one place of an answer. `label` names the change, `path` the place
 * (`create.transaction.to`).
 */
export type Mutant = { readonly path: string; readonly label: string; readonly value: unknown }

type Key = string | number

/**
 * Every single change of a JSON value: one leaf, list or object at a time. Each mutant is the whole
 * value.
 */
export function mutateJson(root: unknown, name: string): Mutant[] {
  return walk(root, []).flatMap(({ keys, value }) =>
    changesOf(value).map(([label, next]) => ({
      path: [name, ...keys].join("."),
      label,
      value: next === MISSING ? without(root, keys) : withValue(root, keys, next),
    })),
  )
}

const MISSING = Symbol("missing")

function walk(value: unknown, keys: readonly Key[]): { keys: readonly Key[]; value: unknown }[] {
  const own = keys.length === 0 ? [] : [{ keys, value }]
  if (Array.isArray(value))
    return [...own, ...value.flatMap((item, index) => walk(item, [...keys, index]))]
  if (typeof value !== "object" || value === null) return own
  return [...own, ...Object.entries(value).flatMap(([key, item]) => walk(item, [...keys, key]))]
}

type Change = readonly [label: string, value: unknown]

function changesOf(value: unknown): Change[] {
  const gone: Change[] = [
    ["missing", MISSING],
    ["an object", {}],
    ["true", true],
  ]
  if (value === null) return [...gone, ["a text", "x"], ["a number", 7]]
  const none: Change[] = [...gone, ["null", null]]
  if (Array.isArray(value)) return [...none, ["a text", "x"], ...changesOfList(value)]
  if (typeof value === "object") return [...none, ["a text", "x"], ["a list", []]]
  if (typeof value === "number")
    return [...none, ["a text", "x"], ["a list", []], ...changesOfNumber(value)]
  return [...none, ["a list", []], ...changesOfText(String(value))]
}

function changesOfList(list: readonly unknown[]): Change[] {
  const changes: Change[] = [
    ["one more", [...list, list[0] ?? "0x1"]],
    ["one odd more", [...list, { name: "more", type: "felt", asset: "x" }]],
  ]
  if (list.length === 0) return changes
  const [first, second, ...rest] = list
  const swapped: Change[] =
    list.length > 1 && JSON.stringify(first) !== JSON.stringify(second)
      ? [["swapped", [second, first, ...rest]]]
      : []
  return [...changes, ["empty", []], ["one less", list.slice(0, -1)], ...swapped]
}

function changesOfNumber(value: number): Change[] {
  const changes: Change[] = [
    ["+1", value + 1],
    ["-1", value - 1],
    ["zero", 0],
    ["negative", -7],
    ["a fraction", value + 0.5],
    ["huge", 2 ** 40],
    ["absurd", 1e300],
  ]
  return changes.filter(([, next]) => next !== value)
}

function changesOfText(text: string): Change[] {
  const shapes: Change[] = [
    ["empty", ""],
    ["a word", "attacker"],
    ["longer", `${text}0`],
    ["shorter", text.slice(0, -1)],
  ]
  const changes = [...shapes, ...changesOfDigits(text), ...changesOfCharacters(text)]
  return changes.filter(([, next]) => next !== text)
}

function changesOfDigits(text: string): Change[] {
  if (!/^(0x[0-9a-fA-F]{1,64}|\d+)$/.test(text)) return []
  const format = (value: bigint): string => {
    if (!text.startsWith("0x")) return value.toString()
    return `0x${value.toString(16).padStart(text.length - 2, "0")}`
  }
  const value = BigInt(text)
  return [
    ["+1", format(value + 1n)],
    ["-1", value === 0n ? "-1" : format(value - 1n)],
    ["tenfold", format(value * 10n + 7n)],
    ["zero", format(0n)],
    ["huge", format(2n ** 200n + 1n)],
    ["negative", "-7"],
    ["a fraction", `${text}.5`],
    ["an exponent", "1e9"],
  ]
}

/** Replaces the first, middle or last character by another digit. */
function changesOfCharacters(text: string): Change[] {
  const start = text.startsWith("0x") ? 2 : 0
  const places = [...new Set([start, Math.floor((start + text.length) / 2), text.length - 1])]
  return places
    .filter((at) => at >= start && at < text.length)
    .map(
      (at): Change => [
        `other character ${at}`,
        text.slice(0, at) + (text[at] === "3" ? "4" : "3") + text.slice(at + 1),
      ],
    )
}

function withValue(root: unknown, keys: readonly Key[], next: unknown): unknown {
  const [key, ...rest] = keys
  if (key === undefined) return next
  if (Array.isArray(root))
    return root.map((item, index) => (index === key ? withValue(item, rest, next) : item))
  const fields = root as Record<string, unknown>
  return { ...fields, [key]: withValue(fields[key], rest, next) }
}

function without(root: unknown, keys: readonly Key[]): unknown {
  const [key, ...rest] = keys
  if (Array.isArray(root)) {
    return rest.length === 0
      ? root.filter((_, index) => index !== key)
      : root.map((item, index) => (index === key ? without(item, rest) : item))
  }
  const { [String(key)]: inner, ...others } = root as Record<string, unknown>
  return rest.length === 0 ? others : { ...others, [String(key)]: without(inner, rest) }
}

/** Every change of one byte (one bit or all bits), and changes of the length. */
export function mutateBytes(
  bytes: Uint8Array,
  path: string,
): { path: string; label: string; bytes: Uint8Array }[] {
  const flips = [...bytes.keys()].flatMap((at) =>
    [0x01, 0x80, 0xff].map((mask) => {
      const next = Uint8Array.from(bytes)
      next[at] = (next[at] ?? 0) ^ mask
      return { path: `${path}[${at}]`, label: `xor ${mask}`, bytes: next }
    }),
  )
  const ends = [
    { path, label: "cut", bytes: bytes.slice(0, -1) },
    { path, label: "one byte more", bytes: Uint8Array.from([...bytes, 0]) },
    { path, label: "a word more", bytes: Uint8Array.from([...bytes, ...new Uint8Array(32)]) },
    { path, label: "empty", bytes: new Uint8Array() },
  ]
  return [...flips, ...ends]
}
