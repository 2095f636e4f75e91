import { describePage } from "#nodes/describe-page.ts"
import type { HttpAnswer } from "./http.ts"
import {
  decideEnvelopeError,
  decideStatusError,
  malformed,
  type Operation,
} from "./service-error.ts"
import type { Read } from "./to-domain.ts"
import { isOwnError, wireEnvelope, wireError } from "./wire.ts"
import { parseWireJson } from "./wire-json.ts"

/** The `result` of a good answer, or the coded error of any other. */
export function resultOf(answer: HttpAnswer, operation: Operation): unknown {
  const body = parseBody(answer.text)
  const said = wireError.safeParse(body).data ?? null
  const serviceText = said === null ? null : answer.show(said)
  if (!isOk(answer))
    throw decideStatusError(operation, { ...answer, isForeign: !isOwnError(body) }, serviceText)
  const envelope = wireEnvelope.safeParse(body)
  if (envelope.success && envelope.data.status === "Ok") return envelope.data.result
  if (serviceText !== null) throw decideEnvelopeError(operation, serviceText)
  const given = body === null ? "null, and " : ""
  const what = describeForeign(answer) ?? `${given}not the interface's envelope`
  throw malformed(operation, `its answer is ${what}`, { status: answer.status })
}

/** What an answer is that is not JSON, such as the page of a proxy; `null` of JSON. */
export function describeForeign({ text, show }: HttpAnswer): string | null {
  if (parseBody(text) !== undefined) return null
  if (text.trim() === "") return "empty"
  const page = describePage(text, show)
  return page === null ? "not JSON" : `${page}, not JSON`
}

/** `undefined` for a body that is not JSON, such as the page of a proxy. */
export function parseBody(text: string): unknown {
  try {
    return parseWireJson(text)
  } catch {
    // SyntaxError: the caller judges it together with the status.
    return undefined
  }
}

export function isOk({ status }: HttpAnswer): boolean {
  return status >= 200 && status < 300
}

export function expectValue<T>(read: Read<T>, operation: Operation): T {
  if (!read.ok) throw malformed(operation, read.why)
  return read.value
}
