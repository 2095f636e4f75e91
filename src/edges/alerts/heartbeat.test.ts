import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
import { systemClock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import { runHeartbeat } from "./heartbeat.ts"

const beats: string[] = []
const server = createServer((request, response) => {
  beats.push(`${request.method} ${request.url}`)
  response.writeHead(beats.length === 3 ? 404 : 200).end(beats.length === 2 ? said : "OK")
})
let url = ""
let said = "OK"

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/beat`
})
afterAll(() => server.close())

type Beats = Pick<Parameters<typeof runHeartbeat>[0], "isAlive" | "note">

function beat(method: "GET" | "POST", signal: AbortSignal, how: Beats): Promise<void> {
  const config = { url: new Secret(url, "env:X"), everyMs: 20, method } as const
  return runHeartbeat(
    { ...how, config: () => config, clock: systemClock, log: silentLogger },
    signal,
  )
}

test("beats while the engine works, and is silent while it stands still or the journal fails", async () => {
  beats.length = 0
  const answers: (boolean | "fails")[] = [true, true, false, "fails", true]
  const stop = new AbortController()
  const seen: number[] = []
  const noted: (string | null)[] = []
  const isAlive = async (): Promise<boolean> => {
    seen.push(beats.length)
    const answer = answers.shift()
    if (answers.length === 0) stop.abort()
    if (answer === "fails") throw new Error("the disk is full")
    return answer === true
  }
  await beat("POST", stop.signal, { isAlive, note: (error) => void noted.push(error) })
  expect(seen).toEqual([0, 1, 2, 2, 2])
  expect(beats).toEqual(["POST /beat", "POST /beat", "POST /beat"])
  expect(noted).toEqual([null, null, "HTTP 404"])
})

test("an owner that does not know the address, and says so with 200, is no beat", async () => {
  beats.length = 0
  said = "OK (not found)"
  const stop = new AbortController()
  const noted: (string | null)[] = []
  await beat("GET", stop.signal, {
    isAlive: async () => {
      if (beats.length === 1) stop.abort()
      return true
    },
    note: (error) => void noted.push(error),
  })
  said = "OK"
  expect(noted).toEqual([null, "HTTP 200 OK (not found)"])
})

test("beats on where the journal refuses to note how a call ended", async () => {
  beats.length = 0
  const stop = new AbortController()
  await beat("GET", stop.signal, {
    isAlive: async () => {
      if (beats.length === 1) stop.abort()
      return true
    },
    note: () => {
      throw new Error("the disk is full")
    },
  })
  expect(beats).toEqual(["GET /beat", "GET /beat"])
})
