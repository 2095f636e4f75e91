/** What the local attestation service does wrong on request. */
const ATTESTER_FAULTS = [
  /** Every burn stays pending. */
  "never",
  /** 404, as for a burn that it has not seen. */
  "unknown",
  /** 429 to every question. */
  "limited",
  /** 503 to every question. */
  "down",
  /** An empty list of messages. */
  "empty",
  /** A stranger's burn stands before ours. */
  "foreign-burns",
  /** The recipient in the message is another one. */
  "altered-bytes",
  /** The signatures are over other bytes. */
  "wrong-signature",
  /** The signatures are in the wrong order. */
  "unordered-signatures",
  /** Fast burns have a block of expiry that is over, until they are attested again. */
  "expired",
  /** Complete, and without a message. */
  "null-message",
  /** A higher fee than the burn allows. */
  "fee-above-max",
  /** Fast burns are attested late, as standard ones. */
  "fallback-to-standard",
] as const

export type AttesterFault = (typeof ATTESTER_FAULTS)[number]

/** `null` for a name that is none. */
export function readFault(name: string): AttesterFault | null {
  return ATTESTER_FAULTS.find((fault) => fault === name) ?? null
}
