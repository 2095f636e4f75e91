import { setTimeout as sleep } from "node:timers/promises"
import type { HttpBindings } from "@hono/node-server"
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response"
import type { Context, MiddlewareHandler } from "hono"
import type { Endpoint, Fault, Faults } from "./faults.ts"

/**
 * Applies the active faults to a request. The handler reads `fault` for the faults that change only
 * the content of the answer.
 */
export function faultGate(faults: Faults, endpoint: Endpoint): MiddlewareHandler<ServiceEnv> {
  return async (context, next) => {
    const fault = faults.take(endpoint)
    context.set("fault", fault)
    if (fault.delayMs !== undefined) await sleep(fault.delayMs)
    const broken = fault.status !== undefined || fault.html || fault.hang || fault.drop
    if (!broken || fault.drop || fault.effect) await next()
    if (!broken) return
    context.res = undefined
    context.res = await breakAnswer(context, fault)
  }
}

export type ServiceEnv = { Bindings: HttpBindings; Variables: { fault: Fault } }

async function breakAnswer(context: Context<ServiceEnv>, fault: Fault): Promise<Response> {
  const { outgoing } = context.env
  if (fault.drop) {
    outgoing.destroy()
    return RESPONSE_ALREADY_SENT
  }
  if (fault.hang) {
    // The client closes the connection after its timeout, or the service closes it when it stops.
    await new Promise((resolve) => outgoing.once("close", resolve))
    return RESPONSE_ALREADY_SENT
  }
  if (fault.html) {
    const headers = { "content-type": "text/html; charset=utf-8" }
    return new Response(HTML_PAGE, { status: fault.status ?? 502, headers })
  }
  const body = { status: "Error", error: fault.error ?? "fault on demand" }
  return Response.json(body, { status: fault.status ?? 500 })
}

const HTML_PAGE =
  "<html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>"
