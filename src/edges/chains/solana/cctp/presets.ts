import { PublicKey } from "@solana/web3.js"
import type { Hex } from "#routes/cctp/message.ts"
import type { CctpTexts } from "./domains.ts"

/** The programs of CCTP v2 on one Solana cluster, and the mint that they burn. */
export type CctpPrograms = {
  readonly domain: number
  readonly mint: PublicKey
  readonly messenger: PublicKey
  readonly transmitter: PublicKey
}

export function programsOf(texts: Omit<CctpTexts, "lookupTable">): CctpPrograms {
  const { domain, token, messenger, transmitter } = texts
  return {
    domain,
    mint: new PublicKey(token),
    messenger: new PublicKey(messenger),
    transmitter: new PublicKey(transmitter),
  }
}

/** An address as a message has it. */
export function wordOf(address: PublicKey): Hex {
  return `0x${Buffer.from(address.toBytes()).toString("hex")}`
}

/** The address of a word of 32 bytes. */
export function addressOf(word: Hex): PublicKey {
  return new PublicKey(Buffer.from(word.slice(2), "hex"))
}
