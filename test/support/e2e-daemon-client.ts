import type { OrderView } from "../../src/core/order/view.ts"
import { type DaemonProcess, TOKEN } from "./sandbox-process.ts"

export type DaemonClient = Pick<DaemonProcess, "call" | "order">

export function createDaemonClient({ port }: { readonly port: number }): DaemonClient {
  const call: DaemonClient["call"] = async (method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text.startsWith("{") ? JSON.parse(text) : text }
  }
  // CAST: the shape of the daemon's own interface.
  return {
    call,
    order: async (id) => (await call("GET", `/api/v1/orders/${id}`)).body as OrderView,
  }
}
