import { describe, expect, test } from "vitest"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import { createApp } from "./create-app.ts"
import type { Operations } from "./operations.ts"

const TOKEN = "0123456789abcdef0123456789abcdef"
let paused = 0
// CAST: the requests below reach only these operations.
const operations = {
  status: () => ({ mode: "live" }),
  pause: async () => {
    paused += 1
    return { ok: true, body: {} }
  },
} as unknown as Operations
const app = createApp(operations, { token: () => new Secret(TOKEN, "test"), dashboard: () => "", log: silentLogger })

const basic = `Basic ${Buffer.from(`any:${TOKEN}`).toString("base64")}`
const bearer = `Bearer ${TOKEN}`

async function ask(authorization: string, site: string | null): Promise<number> {
  const headers = { authorization, ...(site === null ? {} : { "sec-fetch-site": site }) }
  const read = await app.request("/api/v1/status", { headers })
  const write = await app.request("/api/v1/pause", { method: "POST", headers })
  expect(write.status).toBe(read.status)
  return read.status
}

describe("a browser that adds the password by itself", () => {
  test.each(["cross-site", "same-site", "anything else"])("is refused on a page that is %s", async (site) => {
    const before = paused
    expect(await ask(basic, site)).toBe(401)
    expect(paused).toBe(before)
  })

  test.each(["same-origin", "none", null])("is served on our own page (%s)", async (site) => {
    expect(await ask(basic, site)).toBe(200)
  })
})

test("a bearer token counts from anywhere, because no browser adds it by itself", async () => {
  expect(await ask(bearer, "cross-site")).toBe(200)
})

test("another token counts nowhere", async () => {
  expect(await ask(`Bearer ${TOKEN}0`, null)).toBe(401)
  expect(await ask(`Basic ${Buffer.from(`any:${TOKEN}0`).toString("base64")}`, "same-origin")).toBe(401)
})
