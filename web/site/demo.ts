/** The answers of a daemon on the sandbox, as `scripts/site/record-desk.ts` kept them. */
type Recording = { readonly at: number; readonly answers: Readonly<Record<string, unknown>> }

declare global {
  var RECORDING: Recording
}

const { at, answers } = globalThis.RECORDING
const RealDate = Date
const shift = RealDate.now() - at

/** The desk shows ages and deadlines, so its clock goes on from the moment of the recording. */
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args) =>
    Reflect.construct(target, args.length === 0 ? [target.now() - shift] : args),
  get: (target, key) =>
    key === "now" ? () => target.now() - shift : Reflect.get(target, key, target),
})

globalThis.fetch = async (request, init) => {
  const path = String(request)
    .replace("/api/v1/", "")
    .replace(/[?&]since=[^&]*/, "")
  if (path === "events") return new Response(new ReadableStream())
  const isRead = (init?.method ?? "GET") === "GET"
  const answer = isRead ? answers[path] : undefined
  const message = isRead
    ? "This page has recorded answers, and none to this question."
    : "This page has recorded answers: nothing was done."
  const reasons = [{ code: "page.recorded", message }]
  return Response.json(answer ?? { reasons }, { status: answer === undefined ? 409 : 200 })
}
