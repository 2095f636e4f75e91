import { AppError } from "#lib/app-error.ts"
import type { RequestKey, RequestKeyRow, RequestKeys } from "#ports/journal/request-keys.ts"
import type { Access } from "./disk/access.ts"
import { mapOne, textOrNull } from "./row.ts"

/** A key stays for so long at least. */
export const KEPT_KEY_MS = 90 * 24 * 60 * 60_000

/** The latest keys stay in any case: a clock that runs ahead must not make a key unknown. */
const KEPT_KEYS = 1_000

/** The keys of requests from outside, and what became of each. */
export function openRequestKeys({ run, one, transact }: Access): RequestKeys {
  return {
    findRequestKey: (key) =>
      mapOne(one("select request, order_id from request_keys where key = ?", key), (row) => ({
        key,
        ...splitAnswer(textOrNull(row["request"])),
        orderId: textOrNull(row["order_id"]),
      })),
    keepAnswer: ({ key, request }, answer, atMs) =>
      transact(() => {
        run(DROP_BEGUN, key, `${request} `)
        insertRequestKey(run, { key, request: `${request} ${answer}` }, null, atMs)
      }),
    beginAnswer: ({ key, request }, atMs) =>
      transact(() => insertRequestKey(run, { key, request: `${request} ` }, null, atMs)),
    dropBegun: ({ key, request }) => transact(() => void run(DROP_BEGUN, key, `${request} `)),
    withdrawRequestKey: (key, atMs) =>
      transact(() => insertRequestKey(run, { key, request: null }, null, atMs)),
  }
}

const DROP_BEGUN = "delete from request_keys where key = ? and request = ?"

/** The answer stands behind the hash of its request, which has no space. */
function splitAnswer(text: string | null): Pick<RequestKeyRow, "request" | "answer"> {
  const end = text?.indexOf(" ") ?? -1
  if (text === null || end < 0) return { request: text, answer: null }
  return { request: text.slice(0, end), answer: text.slice(end + 1) }
}

/** Throws `journal.request_key_taken` (refused) when the key is known. */
export function insertRequestKey(
  run: Access["run"],
  { key, request }: Omit<RequestKey, "request"> & { readonly request: string | null },
  orderId: string | null,
  atMs: number,
): void {
  run(PRUNE, atMs - KEPT_KEY_MS, KEPT_KEYS - 1)
  const inserted = run(
    "insert into request_keys values (?, ?, ?, ?) on conflict do nothing",
    key,
    request,
    orderId,
    atMs,
  )
  if (inserted === 1) return
  throw new AppError({
    code: "journal.request_key_taken",
    disposition: "refused",
    message: "Another request has used this idempotency key before",
    details: { key },
  })
}

/** The key of an order under way stays, however old. */
const PRUNE = `delete from request_keys
  where at < ?
    and at < (select at from request_keys order by at desc limit 1 offset ?)
    and not exists (
      select 1 from orders where orders.id = request_keys.order_id and orders.outcome is null
    )`
