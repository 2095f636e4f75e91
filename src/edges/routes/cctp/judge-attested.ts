import type { Reason } from "#domain/reason.ts"
import {
  type BurnMessage,
  decodeBurnMessage,
  type Hex,
  listAlteredFields,
  ZERO_WORD,
} from "./message.ts"
import type { WireMessage } from "./wire.ts"

/** A message that the service calls complete, with its signatures, which only a chain can judge. */
export type Attested = {
  readonly message: BurnMessage
  readonly bytes: Hex
  readonly attestation: Hex
}

/**
 * `waiting`: nothing is wrong. `broken`: the service says that it is complete, and it cannot be
 * ours.
 */
type AttestedVerdict =
  | { readonly status: "waiting" | "broken"; readonly reasons: readonly Reason[] }
  | { readonly status: "ready"; readonly attested: Attested }

/**
 * Finds the attested message of our burn among those of its transaction. The service's own reading
 * of a message, its nonce and its status count for nothing. Pure.
 */
export function judgeAttested(
  emitted: BurnMessage,
  given: readonly WireMessage[],
): AttestedVerdict {
  const complete = given.flatMap((one) => readComplete(one) ?? [])
  const ours = complete.find(({ message }) => listAlteredFields(emitted, message).length === 0)
  if (ours !== undefined) return judgeFields(ours)
  const pending = given.filter((one) => readComplete(one) === null)
  if (complete.length > 0 && pending.length === 0)
    return { status: "broken", reasons: [describeOthers(emitted, complete)] }
  const reasons = pending.flatMap(({ delayReason, status }) => describeDelay(delayReason, status))
  return { status: "waiting", reasons }
}

/**
 * The contract enforces the fee too, so such a message could never be minted: it is a lie or a
 * mistake.
 */
function judgeFields(attested: Attested): AttestedVerdict {
  const { nonce, feeExecutedUnits, maxFeeUnits, amountUnits } = attested.message
  const reasons: Reason[] = []
  if (nonce === ZERO_WORD)
    reasons.push({ code: "cctp.nonce_missing", message: "The attested message has no nonce" })
  if (feeExecutedUnits > maxFeeUnits || feeExecutedUnits >= amountUnits)
    reasons.push({
      code: "cctp.fee_above_max",
      message: "The attested fee is above the highest one that our burn allows",
      fee: String(feeExecutedUnits),
      maxFee: String(maxFeeUnits),
      amount: String(amountUnits),
    })
  return reasons.length === 0 ? { status: "ready", attested } : { status: "broken", reasons }
}

/** Only real bytes count: a pending message has `PENDING`, `0x` or nothing in their place. */
function readComplete({ status, message, attestation, cctpVersion }: WireMessage): Attested | null {
  if (status !== "complete" || (cctpVersion ?? 2) !== 2) return null
  if (!/^0x([0-9a-fA-F]{2}){65,}$/.test(attestation ?? "")) return null
  const bytes = (message ?? "").toLowerCase()
  const decoded = decodeBurnMessage(bytes)
  return decoded === null
    ? null
    : {
        message: decoded,
        bytes: `0x${bytes.slice(2)}`,
        attestation: `0x${(attestation ?? "").slice(2).toLowerCase()}`,
      }
}

function describeOthers(emitted: BurnMessage, complete: readonly Attested[]): Reason {
  const altered = complete.map(({ message }) => listAlteredFields(emitted, message))
  const nearest = altered.reduce((least, one) => (one.length < least.length ? one : least))
  return {
    code: "cctp.bytes_differ",
    message:
      "Circle's service gives a message that our burn did not emit; it is not minted. The " +
      "service is asked again",
    fields: nearest.join(),
    messages: String(complete.length),
  }
}

function describeDelay(delayReason: string | null | undefined, status: string): readonly Reason[] {
  if (delayReason === null || delayReason === undefined) return []
  const fallsBack = [
    "insufficient_fee",
    "amount_above_max",
    "insufficient_allowance_available",
  ].includes(delayReason)
  const message = fallsBack
    ? "Circle attests this fast burn at its finality, as a standard one"
    : "Circle's service delays the attestation"
  const code = fallsBack ? "cctp.fell_to_standard" : "cctp.delayed"
  return [{ code, message, why: delayReason.slice(0, 100), status: status.slice(0, 40) }]
}
