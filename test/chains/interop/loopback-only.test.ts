import { afterEach, expect, test } from "vitest"
import { allowLoopbackOnly, type LoopbackGuard } from "./loopback-only.ts"

let guard: LoopbackGuard | null = null
afterEach(() => guard?.lift())

// 192.0.2.0/24 is reserved for documentation (RFC 5737), so that a guard without effect reaches no
// host.
test.for(["http://192.0.2.1/", "https://192.0.2.1/", "https://example.invalid/"])(
  "a connection to %s fails and is remembered",
  async (url) => {
    guard = allowLoopbackOnly()
    await expect(fetch(url)).rejects.toThrow()
    expect(guard.refused()).toEqual([new URL(url).hostname])
  },
)

test("a connection to loopback reaches the port", async () => {
  guard = allowLoopbackOnly()
  // Nothing listens on port 1, so the system refuses the connection, and not the guard.
  await expect(fetch("http://127.0.0.1:1/")).rejects.toMatchObject({
    cause: { message: expect.not.stringMatching(/loopback/) },
  })
  expect(guard.refused()).toEqual([])
})
