import { describe, expect, test } from "vitest"
import type { ChainPort } from "#chains/port.ts"
import { parseConfig } from "#config/load.ts"
import { chainOf, parseAssetId } from "#domain/asset.ts"
import { Secret } from "#lib/secret.ts"
import { toSettings } from "./settings.ts"

const ETH = parseAssetId("base_sepolia:eth")
const OUTSIDE = "0x00000000000000000000000000000000DeaDBeef"
const OWN = "0x1111111111111111111111111111111111111111"

function destinationFor(destinations: string, asked: string | null): string | null {
  const text = `service: { url: "http://127.0.0.1:1" }
chains: { base_sepolia: { family: evm, chain_id: 84532, rpc: ["http://127.0.0.1:1"], key: "env:K" } }
assets: { "base_sepolia:eth": { decimals: 18 } }
guards: { destinations: ${destinations} }`
  const config = parseConfig(text, { file: "b.yaml", secrets: (reference) => new Secret("k", reference) })
  const port = {
    account: OWN,
    isAddress: (address: string) => address.startsWith("0x"),
    sameAddress: (a: string, b: string) => a.toLowerCase() === b.toLowerCase(),
  }
  // CAST: the code under test uses only this part of a chain.
  const chains = new Map([[chainOf(ETH), port as unknown as ChainPort]])
  return toSettings(config, chains).destinationFor(ETH, asked)
}

describe("the payee of an order", () => {
  test.each([
    ["our own wallet, unless anything is said", "own", null, OWN],
    ["our own wallet by its address", "own", OWN, OWN],
    ["nobody else", "own", OUTSIDE, null],
    ["an address in the list, however it is spelt", `["${OUTSIDE}"]`, OUTSIDE.toLowerCase(), OUTSIDE.toLowerCase()],
    ["nothing that is not in the list", `["${OUTSIDE}"]`, "0x00000000000000000000000000000000DeaDBee0", null],
    ["not even our own wallet when the list leaves it out", `["${OUTSIDE}"]`, null, null],
    ["our own wallet when it is listed", `["${OWN}"]`, null, OWN],
    ["our own wallet and the list, when the list says own", `[own, "${OUTSIDE}"]`, null, OWN],
    [
      "an address of another chain never, even when listed",
      "[bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080]",
      "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080",
      null,
    ],
  ])("%s", (_name, destinations, asked, expected) => {
    expect(destinationFor(destinations, asked)).toBe(expected)
  })
})
