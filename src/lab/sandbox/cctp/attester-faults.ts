/** What the local attestation service does wrong on request, each with a sentence for people. */
export const ATTESTER_FAULTS = {
  never: "answers that every burn is pending",
  unknown: "answers 404, as for a burn that it has not seen",
  limited: "answers 429 to every question",
  empty: "answers with an empty list of messages",
  "foreign-burns": "lists a stranger's burn before ours",
  "altered-bytes": "changes the recipient in the message",
  "wrong-signature": "signs other bytes",
  "unordered-signatures": "puts the signatures into the wrong order",
  expired: "attests fast burns with a block of expiry that is over",
  "null-message": "says complete and gives no message",
  "fee-above-max": "takes a higher fee than the burn allows",
  "fallback-to-standard": "attests fast burns late, as standard ones",
} as const

export type AttesterFault = keyof typeof ATTESTER_FAULTS
