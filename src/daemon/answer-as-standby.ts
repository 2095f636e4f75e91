/** The whole HTTP interface of a standby: it lives, it is not ready, and it answers nothing else. */
export function answerAsStandby(request: Request): Response {
  const { pathname } = new URL(request.url)
  if (pathname === "/healthz") return Response.json({ ok: true, state: "standby" })
  const message = "This daemon is a standby and waits for the treasury's lease; ask the daemon that holds it"
  return Response.json({ ok: false, state: "standby", code: "cluster.standby", message }, { status: 503 })
}
