import { expect, test } from "vitest"
import { readReferencePrice } from "#engine/rules/tick/view-prices.ts"
import { ETH } from "../../../support/fake-world.ts"
import { createManualClock, settle } from "../../../support/manual-clock.ts"

test("a reference price is read for eight seconds, and a silent source is a reason", async () => {
  const clock = createManualClock(0)
  const read = (fetchPrice: () => Promise<unknown>) =>
    // CAST: a price is read with these alone.
    readReferencePrice({ clock, prices: { fetchPrice } } as never, ETH)
  expect(await read(async () => null)).toBeNull()
  expect(await read(async () => ({ fiat: 4n, sources: 2 }))).toEqual({ fiat: 4n })
  await expect(read(async () => Promise.reject(new TypeError("a bug")))).rejects.toThrow("a bug")
  const late = read(() => new Promise(() => undefined))
  clock.set(7_999)
  await settle()
  clock.set(8_000)
  expect(await late).toMatchObject({ missing: { code: "view.silent", ms: "8000" } })
})
