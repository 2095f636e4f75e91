import type { TransactionPlan } from "#domain/transaction.ts"
import { formatAddress, formatFelt } from "../felt.ts"
import { decodeMulticall, SELECTORS } from "../htlc.ts"
import { parseInvoke } from "./invoke.ts"

/** The calls of an unsigned invoke. Pure. Throws `signer.unsigned_malformed` for another text. */
export function describeStarknetPlan({ unsigned }: TransactionPlan): Record<string, unknown> {
  const { calldata, sender, nonce, bounds } = parseInvoke(unsigned)
  const calls = decodeMulticall(calldata.map((felt) => BigInt(felt)))
  return {
    sender,
    nonce,
    calls: calls?.map((call) => ({
      to: formatAddress(call.to),
      function: NAMES.get(call.selector) ?? formatFelt(call.selector),
      calldata: call.calldata.map(formatFelt),
    })),
    bounds,
  }
}

const NAMES: ReadonlyMap<bigint, string> = new Map(
  Object.entries(SELECTORS).map(([name, selector]) => [selector, name]),
)
