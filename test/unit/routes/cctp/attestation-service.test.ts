import { describe, expect, test } from "vitest"
import { AppError } from "#lib/app-error.ts"
import { createPaces } from "#nodes/paces.ts"
import { createAttestationService } from "#routes/cctp/attestation-service.ts"
import { createManualClock } from "../../../support/manual-clock.ts"
import { startHttp } from "./start-http.ts"

async function open(answer: Parameters<typeof startHttp>[0]) {
  const server = await startHttp(answer)
  const clock = createManualClock(1_000_000)
  const service = createAttestationService({ address: server.url, timeoutMs: 5_000, clock })
  return { ...server, clock, service }
}

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return "no error"
  } catch (error) {
    return error instanceof AppError ? `${error.code} ${error.disposition}` : String(error)
  }
}

describe("the fees of Circle's service", () => {
  test("are numbers or texts with decimals, and are never understated", async () => {
    const { service, asked } = await open(() => ({
      body: [
        { finalityThreshold: 1000, minimumFee: 1.3, forwardFee: { low: 1, med: 2, high: 3 } },
        { finalityThreshold: 2000, minimumFee: "0.00001" },
      ],
    }))
    expect(await service.fetchFees(6, 0)).toEqual({ fast: 1_300n, standard: 1n })
    expect(asked).toEqual(["GET /v2/burn/USDC/fees/6/0"])
  })

  test("are null for a speed that is not listed", async () => {
    const { service } = await open(() => ({ body: [{ finalityThreshold: 2000, minimumFee: 0 }] }))
    expect(await service.fetchFees(7, 6)).toEqual({ fast: null, standard: 0n })
  })

  test.each([
    ["no JSON", "<html>", "cctp.malformed transient"],
    ["another form", { fees: [] }, "cctp.malformed transient"],
    ["a negative fee", [{ finalityThreshold: 1000, minimumFee: -1 }], "cctp.malformed transient"],
    ["an exponent", [{ finalityThreshold: 1000, minimumFee: "1e9" }], "cctp.malformed transient"],
  ])("with %s are an error", async (_name, body, expected) => {
    const { service } = await open(() => ({ body }))
    expect(await codeOf(service.fetchFees(0, 6))).toBe(expected)
  })
})

test("the fast allowance is in whole units of USDC with decimals", async () => {
  const { service } = await open(() => ({ body: { allowance: 54656758.473146, lastUpdated: "x" } }))
  expect(await service.fetchFastAllowance()).toBe(54_656_758_473_146n)
})

describe("the messages of a burn", () => {
  test("are none while the service does not know the transaction", async () => {
    const { service, asked } = await open(() => ({
      status: 404,
      body: { error: "Message not found for provided parameters" },
    }))
    expect(await service.fetchMessages(0, "0xab")).toEqual([])
    expect(asked).toEqual(["GET /v2/messages/0?transactionHash=0xab"])
  })

  test("may lack bytes while they are pending", async () => {
    const pending = { message: null, attestation: "PENDING", status: "pending_confirmations" }
    const { service } = await open(() => ({ body: { messages: [pending] } }))
    expect(await service.fetchMessages(0, "0xab")).toMatchObject([pending])
  })

  test.each([
    [500, "cctp.unavailable transient"],
    [403, "cctp.refused refused"],
    [429, "cctp.rate_limited transient"],
  ])("after HTTP %d are an error", async (status, expected) => {
    const { service } = await open(() => ({ status, body: {} }))
    expect(await codeOf(service.fetchMessages(0, "0xab"))).toBe(expected)
  })
})

test("after 429 nothing is sent for 330 seconds, whichever question it is", async () => {
  let status = 429
  const { service, asked, clock } = await open(() => ({ status, body: { messages: [] } }))
  expect(await codeOf(service.fetchMessages(0, "0x01"))).toBe("cctp.rate_limited transient")
  status = 200
  clock.set(clock.now() + 329_000)
  expect(await codeOf(service.fetchMessages(0, "0x02"))).toBe("cctp.rate_limited transient")
  expect(await codeOf(service.fetchFees(0, 6))).toBe("cctp.rate_limited transient")
  expect(asked).toHaveLength(1)
  clock.set(clock.now() + 2_000)
  expect(await service.fetchMessages(0, "0x03")).toEqual([])
  expect(asked).toHaveLength(2)
})

test("after a reload the new client knows the pause that the old one has met", async () => {
  const { url, asked } = await startHttp(() => ({ status: 429, body: {} }))
  const clock = createManualClock(1_000_000)
  const paces = createPaces(clock)
  const open = () => createAttestationService({ address: url, timeoutMs: 5_000, clock, paces })
  const before = open()
  const after = open()
  expect(await codeOf(before.fetchFees(0, 6))).toBe("cctp.rate_limited transient")
  expect(await codeOf(after.fetchFees(0, 6))).toBe("cctp.rate_limited transient")
  expect(asked).toHaveLength(1)
})

test("a second attestation is asked for by the nonce, and may not be needed", async () => {
  let status = 200
  const { service, asked } = await open(() => ({ status, body: {} }))
  expect(await service.requestReattestation("0x07")).toBe(true)
  status = 400
  expect(await service.requestReattestation("0x07")).toBe(false)
  expect(asked).toEqual(["POST /v2/reattest/0x07", "POST /v2/reattest/0x07"])
})
