import { expect, test } from "vitest"
import { deriveOrderIds } from "./htlc.ts"

test("derives the order ids that live deployments publish", () => {
  const initiator = "0x661bA32eb5f86CaB358DDbB7F264b10c5825e2dd"
  const terms = {
    redeemer: "0x004Cc75ACF4132Fc08cB6a252E767804F303F729",
    timelock: 3_600n,
    units: 498_500n,
    secretHash: "0x3c4522983261f81e2e679346bbda5dddd8b4ea0367dd4073f73f13320d9dee62",
  } as const
  const { v1, v2, v3 } = deriveOrderIds(84532, initiator, initiator, terms)
  expect(v2).toBe("0x3ab702b4db8f9b54f56d4ceeab7811ee02447785605a2c5b8df7dcc071efed91")
  expect(new Set([v1, v2, v3]).size).toBe(3)
})
