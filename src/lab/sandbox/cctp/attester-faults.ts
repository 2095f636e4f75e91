/** What the local attestation service does wrong on request. */
export type AttesterFault =
  /** Every burn stays pending. */
  | "never"
  /** 404, as for a burn that it has not seen. */
  | "unknown"
  /** 429 to every question. */
  | "limited"
  /** An empty list of messages. */
  | "empty"
  /** A stranger's burn stands before ours. */
  | "foreign-burns"
  /** The recipient in the message is another one. */
  | "altered-bytes"
  /** The signatures are over other bytes. */
  | "wrong-signature"
  /** The signatures are in the wrong order. */
  | "unordered-signatures"
  /** Fast burns have a block of expiry that is over, until they are attested again. */
  | "expired"
  /** Complete, and without a message. */
  | "null-message"
  /** A higher fee than the burn allows. */
  | "fee-above-max"
  /** Fast burns are attested late, as standard ones. */
  | "fallback-to-standard"
