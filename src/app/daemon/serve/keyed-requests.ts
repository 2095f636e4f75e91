import { createHash } from "node:crypto"
import type { Reason } from "#domain/reason.ts"
import type { Clock } from "#lib/clock.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import type { RequestKey } from "#ports/journal/request-keys.ts"
import type { Journal } from "#ports/journal.ts"
import type { Answer, AnswerName } from "#schema/answers/answers.ts"
import type { SubmitRequest } from "#schema/requests.ts"

/**
 * Requests with an idempotency key: however often one of them comes, it opens one order, or acts
 * once (draft-ietf-httpapi-idempotency-key-header).
 *
 * The journal writes the key together with the order, so the answer outlives the process. A refused
 * request has no order and leaves no key: the next one under the key is judged anew.
 */
export type KeyedRequests = {
  /** `act` opens an order with the key, or refuses. It runs at most once at a time for each key. */
  readonly submit: (
    key: string,
    request: SubmitRequest,
    act: (key: RequestKey) => Promise<Answer<"AcceptedSwap">>,
  ) => Promise<Answer<"AcceptedSwap">>
  /**
   * `act` changes something else than a new order; its answer is kept. A change and its answer are
   * in one group of the journal where `act` does not wait. Of an act that `waits` the journal knows
   * before that it begins: after the end of the process it is unknown whether it acted.
   */
  readonly once: <Name extends AnswerName>(
    key: string,
    request: string,
    act: () => Answer<Name> | Promise<Answer<Name>>,
    waits?: boolean,
  ) => Promise<Answer<Name>>
  /** The order of the key. Resolves when the answer is on disk, and in the log of the cluster. */
  readonly find: (key: string) => Promise<Answer<"AcceptedSwap">>
  /**
   * Afterwards no request opens an order under the key. An order that has the key stays: the answer
   * names it.
   */
  readonly withdraw: (key: string) => Promise<Answer<"WithdrawnKey">>
}

type Store = Pick<
  Journal,
  "findRequestKey" | "withdrawRequestKey" | "keepAnswer" | "beginAnswer" | "dropBegun" | "durable"
>

export function createKeyedRequests(journal: Store, clock: Pick<Clock, "now">): KeyedRequests {
  /** The hashes of the requests that are judged now. */
  const running = new Map<string, string>()

  /** `null`: this is the first request under the key, or the same as the first one. */
  function refuseOther(key: string, request: string): Refused | null {
    const known = running.get(key) ?? journal.findRequestKey(key)?.request
    if (known === null) return refused(WITHDRAWN)
    if (known !== undefined && known !== request) return refused(REUSED)
    return running.has(key) ? refused(IN_FLIGHT) : null
  }

  return {
    once: async (key, content, act, waits = false) => {
      const request = hashText(content)
      const refusal = refuseOther(key, request)
      if (refusal !== null) return refusal
      const kept = journal.findRequestKey(key)?.answer ?? null
      if (kept === "") return refused(UNFINISHED)
      // CAST: the same request wrote its own answer.
      if (kept !== null) return { ok: true, body: decodeJson(kept) as never }
      running.set(key, request)
      let isDone = false
      try {
        if (waits) {
          journal.beginAnswer({ key, request }, clock.now())
          await journal.durable()
        }
        const pending = act()
        const result = pending instanceof Promise ? await pending : pending
        if (result.ok) journal.keepAnswer({ key, request }, encodeJson(result.body), clock.now())
        isDone = result.ok
        return result
      } finally {
        if (waits && !isDone) journal.dropBegun({ key, request })
        running.delete(key)
      }
    },
    submit: async (key, content, act) => {
      const request = hashRequest(content)
      const refusal = refuseOther(key, request)
      if (refusal !== null) return refusal
      const found = findStored(journal, key)
      if (found.ok) return found
      running.set(key, request)
      // `act` ends after its order is durable; until then the key has no answer.
      return act({ key, request }).finally(() => running.delete(key))
    },
    find: async (key) => {
      const found = running.has(key) ? refused(IN_FLIGHT) : findStored(journal, key)
      await journal.durable()
      return found
    },
    withdraw: async (key) => {
      if (running.has(key)) return refused(IN_FLIGHT)
      const id = journal.findRequestKey(key)?.orderId ?? null
      if (journal.findRequestKey(key) === null) journal.withdrawRequestKey(key, clock.now())
      await journal.durable()
      return { ok: true, body: { id } }
    },
  }
}

/**
 * What the copy of a standby proves about a key. Whole groups reach the copy, so an order in it is
 * proven; a missing one proves nothing, and the answer is `null`.
 */
export function findProven(
  journal: Pick<Journal, "findRequestKey">,
  key: string,
): Answer<"AcceptedSwap"> | null {
  return journal.findRequestKey(key) === null ? null : findStored(journal, key)
}

/** The order of the key by the journal alone. */
function findStored(journal: Pick<Journal, "findRequestKey">, key: string): Answer<"AcceptedSwap"> {
  const row = journal.findRequestKey(key)
  if (row === null || row.answer !== null) return refused(UNKNOWN)
  return row.orderId === null ? refused(WITHDRAWN) : { ok: true, body: { id: row.orderId } }
}

/** A field that is absent and one with its default are the same request. */
function hashRequest(request: SubmitRequest): string {
  const { from, to, amount = null, deposit = null, destination = null } = request
  const { toAmount, maxAmount = null } = request
  const exactly = toAmount === undefined ? [] : [toAmount, maxAmount]
  const content = [from, to, amount, deposit, destination, ...exactly]
  return hashText(encodeJson(content))
}

function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}

type Refused = { readonly ok: false; readonly reasons: readonly Reason[] }

function refused(reason: Reason): Refused {
  return { ok: false, reasons: [reason] }
}

const UNKNOWN: Reason = {
  code: "request.key_unknown",
  message: "No order was opened under this idempotency key",
}
const REUSED: Reason = {
  code: "request.key_reused",
  message: "Another request has used this idempotency key; send a changed request with a new key",
}
const UNFINISHED: Reason = {
  code: "request.key_unfinished",
  message:
    "The daemon ended while it carried out this request, so it may have acted or not; look at " +
    "what it was to change, and ask again with a new key",
}
const IN_FLIGHT: Reason = {
  code: "request.key_in_flight",
  message: "The request with this idempotency key is being judged now; ask again in a second",
}
const WITHDRAWN: Reason = {
  code: "request.key_withdrawn",
  message: "This idempotency key was withdrawn, and nothing was sold under it; use a new key",
}
