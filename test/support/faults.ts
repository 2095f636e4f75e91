import { AppError, type Disposition } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { wrapCalls } from "./wrap-port.ts"

/**
 * A fault of one call of a port. `before`: the call fails without effect · `after`: it is executed,
 * but its answer is lost · `lie`: it is not executed and returns this answer · `hang`: no effect
 * and no answer · `delayMs`: executed now, answered later.
 */
export type Fault =
  | { readonly before: AppError }
  | { readonly after: AppError }
  | { readonly lie: () => unknown }
  | { readonly hang: true }
  | { readonly delayMs: number }

export type Call = { readonly method: string; readonly args: readonly unknown[] }

export type Faults = {
  /** Every call of every port, in order. */
  readonly calls: readonly Call[]
  readonly countCalls: (method: string) => number
  /** Injects the fault into the next `times` calls of `port.method`. */
  readonly inject: (method: string, fault: Fault, times?: number) => void
  readonly clear: (method: string) => void
  /** A port with injected faults. A dead process makes no call and gets no answer. */
  readonly wrap: <Port extends object>(name: string, port: Port, isAlive: () => boolean) => Port
}

export function createFaults(clock: Clock): Faults {
  const planned = new Map<string, { fault: Fault; left: number }>()
  const calls: Call[] = []

  function take(method: string): Fault | null {
    const entry = planned.get(method)
    if (!entry) return null
    entry.left -= 1
    if (entry.left <= 0) planned.delete(method)
    return entry.fault
  }

  async function answer(method: string, act: () => Promise<unknown>): Promise<unknown> {
    const fault = take(method)
    if (fault === null) return act()
    if ("before" in fault) throw fault.before
    if ("lie" in fault) return fault.lie()
    if ("hang" in fault) return never()
    const result = await act()
    if ("after" in fault) throw fault.after
    await clock.sleep(fault.delayMs)
    return result
  }

  return {
    calls,
    countCalls: (method) => calls.filter((call) => call.method === method).length,
    inject: (method, fault, times = 1) => void planned.set(method, { fault, left: times }),
    clear: (method) => void planned.delete(method),
    wrap: (name, port, isAlive) =>
      wrapCalls(port, (method, call) => {
        if (PURE.has(method)) return call
        return async (...args) => {
          if (!isAlive()) return never()
          const full = `${name}.${method}`
          calls.push({ method: full, args })
          return await answer(full, async () => call(...args)).finally(() => {
            if (!isAlive()) return never()
          })
        }
      }),
  }
}

/** Methods without IO. */
const PURE = new Set([
  "isAddress",
  "sameAddress",
  "decodeDeposit",
  "revealWait",
  "rebuildRequests",
  "checkDestination",
  "capRedeemFee",
])

export function never(): Promise<never> {
  return new Promise(() => undefined)
}

export function failure(disposition: Disposition, code = `test.${disposition}`): AppError {
  return new AppError({ code, disposition, message: `Scripted: ${disposition}` })
}
