import { mustExist } from "#lib/assert.ts"
import { PAIRS } from "./record-wire.ts"
import type { CreatedKind } from "./wire-tables.ts"

/** The kind of an exchange: the first word of its label. */
export type Word = "quote" | "create" | "get" | "initiate" | "list"

export function firstWord(label: string): Word {
  // CAST: labels begin with the kind, and this function gets no label of an error.
  return label.split(" ")[0] as Word
}

export function kindOf(label: string): CreatedKind {
  if (label === "create plain") return "starknet"
  if (label === "create gasless") return "evm token"
  const { from } = mustExist(
    PAIRS.find(({ name }) => label.endsWith(name)),
    label,
  )
  return from === "bitcoin p2wpkh" ? "bitcoin" : from
}
