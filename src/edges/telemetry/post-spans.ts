import { hideSecrets, under } from "#nodes/address.ts"
import { describeFailure, exchange } from "#nodes/exchange.ts"
import type { Collector } from "./find-collector.ts"

const MOST_ANSWER_BYTES = 64 * 1024
/** The caller's signal ends the call before. */
const TIMEOUT_MS = 60_000

/** `null`: the collector took them. Redirects are not followed. */
export async function postSpans(
  { base, path, headers }: Collector,
  body: string,
  signal: AbortSignal,
): Promise<string | null> {
  const limits = { timeoutMs: TIMEOUT_MS, mostBytes: MOST_ANSWER_BYTES, mostValues: null, signal }
  const address = under({ url: base.reveal(), headers, maxRequestsPerSecond: null }, path)
  try {
    const { status } = await exchange({ address, body, ...limits })
    return status >= 200 && status < 300 ? null : `HTTP ${status}`
  } catch (error) {
    // The message of a foreign error may repeat the URL with its key.
    return hideSecrets(address, describeFailure(error))
  }
}
