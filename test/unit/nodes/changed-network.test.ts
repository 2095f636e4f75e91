import { afterEach, expect, test } from "vitest"
import { systemClock } from "#lib/clock.ts"
import { serve } from "./askers.ts"
import { type Chain, FAMILIES, Refusal } from "./families.ts"

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

const OURS: Chain = { network: "ours", height: 1_000, ageMs: 0, units: 5 }
const ANOTHER: Chain = { ...OURS, network: "another", units: 6 }
const HEAD = /getSlot|\/blocks|eth_getBlockByNumber|starknet_blockHashAndNumber/

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }

// On Bitcoin the next head shows it: one more question a look would pass the bound of an order.
const SHOWN_AT_ONCE = Object.entries(FAMILIES).filter(([name]) => !/bitcoin/i.test(name))

test.each(SHOWN_AT_ONCE)(
  "%s: a lone node that changes its network after its head gives no answer",
  async (_name, family) => {
    let may = false
    let chain = OURS
    const { url, stop } = await serve((path, body) => {
      const shown = chain
      if (may && HEAD.test(path + body)) chain = ANOTHER
      if (body === "")
        return { body: JSON.stringify(family.answer(path, [], shown)).replace(/^"|"$/g, "") }
      const answerOne = ({ id, method, params }: Call) => {
        try {
          return { jsonrpc: "2.0", id, result: family.answer(method, params, shown) }
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          return { jsonrpc: "2.0", id, error: { code: error.code, message: error.message } }
        }
      }
      // CAST: the clients' own requests: a call or a list of them.
      const sent = JSON.parse(body) as Call | readonly Call[]
      // CAST: no list.
      const answer = Array.isArray(sent) ? sent.map(answerOne) : answerOne(sent as Call)
      return { body: JSON.stringify(answer) }
    })
    stops.push(stop)
    const clock = {
      ...systemClock,
      sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(Math.min(ms, 50), signal),
    }
    const read = family.open({ urls: [url], needed: 1, clock, timeoutMs: 2_000 })
    expect(await read()).toBe(5n)
    may = true
    // A block of this hash stays as it is, so the next look is about another one.
    chain = { ...OURS, height: 1_001 }
    await expect(read()).rejects.toMatchObject({ disposition: "transient" })
    may = false
    chain = OURS
    expect(await read()).toBe(5n)
  },
)
