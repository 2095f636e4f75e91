import { leavesOpen } from "#client/leaves-open.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"

/** A logged-in person. `csrf` is `null` where the browser itself sends a password. */
export type Account = AnswerOf<"Caller"> & { readonly csrf: string | null }

/**
 * A refusal of the daemon, with one sentence for each reason. `status` is 0 where no answer came.
 */
export class Refused extends Error {
  readonly status: number
  readonly reasons: AnswerOf<"Problem">["reasons"]
  constructor(status: number, reasons: Refused["reasons"]) {
    super(reasons.map(({ message }) => message).join(" "))
    this.status = status
    this.reasons = reasons
  }
}

/**
 * The second secret of the session. The first is a cookie that no script can read; neither is of
 * use without the other.
 */
const KEY = "ballast.csrf"

export async function findAccount(): Promise<Account | null> {
  try {
    // CAST: the daemon's own answer.
    const account = (await ask("GET", "session")) as AnswerOf<"Caller">
    return { ...account, csrf: localStorage.getItem(KEY) }
  } catch (error) {
    if (error instanceof Refused && error.status === 401) return null
    throw error
  }
}

export async function logIn(token: string): Promise<Account> {
  // CAST: the daemon's own answer.
  const account = (await ask("POST", "session", { token })) as AnswerOf<"Login">
  localStorage.setItem(KEY, account.csrf)
  return account
}

export async function logOut(): Promise<void> {
  await ask("DELETE", "session").catch(() => undefined)
  localStorage.removeItem(KEY)
}

/** So long a change without an answer is asked again. */
const PATIENCE_MS = 5_000
const FIRST_PAUSE_MS = 200

/** The idempotency key of a change. A page without TLS has no `crypto.randomUUID`. */
export function makeKey(): string {
  return crypto.getRandomValues(new BigUint64Array(2)).join("-")
}

/** Asks for a change, which happens once however often its answer is lost and `key` comes again. */
export async function change(path: string, body: unknown, key = makeKey()): Promise<unknown> {
  const endMs = performance.now() + PATIENCE_MS
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
    try {
      return await ask("POST", path, body, { "idempotency-key": key })
    } catch (error) {
      if (!(error instanceof Refused) || !leavesOpen(error.status, error.reasons[0]?.code))
        throw error
      if (performance.now() + pauseMs > endMs) throw new Refused(error.status, [UNCERTAIN])
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

const UNCERTAIN = {
  code: "page.uncertain",
  message: "No answer came, so it may be done or not. Press again: it is done once.",
}

/** Sends a request of the interface, and throws `Refused` for every answer but a success. */
export async function ask(
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const answer = await send(method, path, { body, headers }).catch(() => {
    throw new Refused(0, [{ code: "page.silent", message: "The daemon does not answer." }])
  })
  const parsed: unknown = await answer.json().catch(() => null)
  if (answer.ok) return parsed
  // CAST: errors of the interface have this form.
  const { reasons } = (parsed ?? {}) as Partial<AnswerOf<"Problem">>
  throw new Refused(
    answer.status,
    reasons ?? [{ code: "page.answer", message: `The daemon answered ${answer.status}.` }],
  )
}

type Sent = { body?: unknown; headers?: Readonly<Record<string, string>>; signal?: AbortSignal }

export function send(
  method: string,
  path: string,
  { body, headers = {}, signal }: Sent = {},
): Promise<Response> {
  return fetch(`/api/v1/${path}`, {
    method,
    headers: {
      ...headers,
      "x-ballast-csrf": localStorage.getItem(KEY) ?? "",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  })
}
