import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import type { NodeError } from "./rpc-answer.ts"

/** The words of nodes that decide something and have no code of their own. */
type NodeWord = "known" | "never" | "nonce" | "entry-point"

/**
 * geth, erigon, nethermind, besu, reth and anvil use similar texts; Solana's protocol names a known
 * transaction in the data, and nodes without data in the text.
 */
const IN_TEXT: readonly (readonly [NodeWord, RegExp])[] = [
  [
    "known",
    /already known|already imported|known transaction|alreadyknown|already been processed/i,
  ],
  ["never", /insufficient funds|intrinsic gas|exceeds block gas limit/i],
]
const IN_DATA: readonly (readonly [NodeWord, RegExp])[] = [
  ["known", /AlreadyProcessed/],
  ["nonce", /nonce/i],
  ["entry-point", /ENTRYPOINT_NOT_FOUND|entry ?point/i],
]

/**
 * The words in an error, read before the keys of the endpoint's URL are hidden in it: a short
 * password may stand in them by chance. Pure.
 */
export function readWords({ message, data }: NodeError): string {
  const words = spell(plainJson(data ?? message))
  const found = [
    ...IN_TEXT.filter(([, pattern]) => pattern.test(message)),
    ...IN_DATA.filter(([, pattern]) => pattern.test(words)),
  ]
  return found.map(([word]) => word).join(" ")
}

export function says(error: unknown, word: NodeWord): boolean {
  return error instanceof AppError && String(error.details["words"]).split(" ").includes(word)
}

/** Starknet's nodes may give the words of a contract as felts, since RPC 0.9. */
export function spell(text: string): string {
  return text
    .replace(SPLIT, "$1")
    .replace(FELT, (felt) => Buffer.from(felt.slice(2), "hex").toString("ascii"))
}

/** The end of a whole word of a long text (Cairo's ByteArray), and the begin of the next one. */
const SPLIT = /((?:[2-7][0-9a-f]){31})"?,\s*"?0x(?=(?:[2-7][0-9a-f]){1,31}\b)/gi
/** Of printable characters. Fewer of them may be a number. */
const FELT = /\b0x(?:[2-7][0-9a-f]){8,}\b/gi
