import { createServer, type Server } from "node:http"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { listen, stopServer } from "../../support/listen.ts"
import { type CutProxy, type LineFault, startCutProxy } from "./start-cut-proxy.ts"

describe("a proxy with faults", () => {
  let server: Server
  let proxy: CutProxy
  let served = 0
  beforeAll(async () => {
    server = createServer((_request, response) => {
      served += 1
      response.end("x".repeat(500))
    })
    const { url } = await listen(server)
    proxy = await startCutProxy()
    proxy.lead(url)
  })
  afterAll(async () => {
    await proxy.stop()
    await stopServer(server)
  })
  beforeEach(() => {
    proxy.setFault(null)
    served = 0
  })

  test("passes everything on without a fault", async () => {
    expect(await ask()).toBe(500)
  })

  test.for<[LineFault, number]>([
    ["refuse", 0],
    ["hang", 0],
    ["truncate", 1],
    ["deafen", 1],
  ])(
    "gives no complete answer on %s, and the endpoint gets %s requests",
    async ([how, requests]) => {
      proxy.setFault(how)
      expect(await ask()).toBeNull()
      expect(served).toBe(requests)
      proxy.setFault(null)
      expect(await ask()).toBe(500)
    },
  )

  test("answers late on delay", async () => {
    proxy.setFault("delay")
    const startedMs = performance.now()
    expect(await ask(5_000)).toBe(500)
    expect(performance.now() - startedMs).toBeGreaterThan(1_400)
  })

  /** The length of a complete answer; `null` without one. */
  async function ask(timeoutMs = 400): Promise<number | null> {
    try {
      const answer = await fetch(proxy.url, {
        headers: { connection: "close" },
        signal: AbortSignal.timeout(timeoutMs),
      })
      return (await answer.text()).length
    } catch {
      return null
    }
  }
})
