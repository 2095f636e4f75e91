import { Keypair } from "@solana/web3.js"
import { describe, expect, test } from "vitest"
import { parse } from "yaml"
import type { ContractFinding } from "#chains/contract-reader.ts"
import { mustExist } from "#lib/assert.ts"
import { MESSENGER, TRANSMITTER } from "#sandbox/solana/cctp-program.ts"
import {
  formatRouteFindings,
  formatRoutePins,
  inspectRoutes,
} from "../../../src/app/cli/discover/inspect-routes.ts"
import {
  codeOf,
  configWith,
  EVM,
  limitOf,
  MINT,
  mintOf,
  nodesWith,
  OTHER,
  pairOf,
  remoteOf,
  stockOf,
  transmitterOf,
} from "./routed-chains.ts"

const ALL_OPEN = ["discover.not_pinned"]

async function findingsOf(
  chain: string,
  changes: Parameters<typeof nodesWith>[0],
  config = configWith(),
): Promise<readonly ContractFinding[]> {
  const places = await inspectRoutes(config, null, nodesWith(changes))
  const other = places.find((place) => place.chain !== chain)
  expect([...new Set(other?.findings.map(({ code }) => code))]).toEqual(ALL_OPEN)
  return mustExist(
    places.find((place) => place.chain === chain),
    chain,
  ).findings.filter(({ code }) => code !== "discover.not_pinned")
}

describe("discover", () => {
  test("finds the contracts of a route linked on each chain, and prints their pins", async () => {
    const places = await inspectRoutes(configWith(), null, nodesWith())
    expect(places.map(({ chain, findings }) => [chain, findings.map(({ code }) => code)])).toEqual([
      ["base_sepolia", Array(3).fill("discover.not_pinned")],
      ["devnet", Array(2).fill("discover.not_pinned")],
    ])
    const { cctp } = parse(formatRoutePins(places)).routes
    expect(cctp.pinned.base_sepolia.map(Object.keys)).toEqual(Array(3).fill(["address", "code"]))
    expect(cctp.pinned.devnet).toMatchObject([
      { address: MESSENGER.toBase58(), program: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { address: TRANSMITTER.toBase58(), authority: expect.any(String) },
    ])
    const pinned = configWith(`, pinned: ${JSON.stringify(cctp.pinned)}`)
    const again = await inspectRoutes(pinned, null, nodesWith())
    expect(again.flatMap(({ findings }) => findings)).toEqual([])
    expect(formatRouteFindings(again)).toEqual([
      "route cctp on base_sepolia: 3 contracts compared with the chain",
      "route cctp on devnet: 2 contracts compared with the chain",
    ])
  })

  test("reads one chain alone on request", async () => {
    const places = await inspectRoutes(configWith(), "devnet", nodesWith({ silent: "http://evm" }))
    expect(places.map(({ chain }) => chain)).toEqual(["devnet"])
  })

  test.each([
    ["another domain", { localDomain: 3 }, "cctp.pin_differs", "domain of the transmitter"],
    ["another transmitter", { localMessageTransmitter: OTHER }, "cctp.pin_differs", OTHER],
    [
      "another messenger of the other chain",
      { remoteTokenMessengers: `0x${"00".repeat(32)}` },
      "cctp.pin_differs",
      "messenger of the destination",
    ],
    ["no limit of a burn", { burnLimitsPerMessage: 0n }, "cctp.burn_limit", "not the token"],
    ["another token of mints", { getLocalToken: OTHER }, "cctp.pin_differs", "token of the mint"],
    ["nothing left to mint", { minterAllowance: 0n }, "cctp.minter_allowance", "minter"],
    ["other decimals", { decimals: 18 }, "discover.decimals_differ", "18 decimals"],
    ["a pause", { paused: true }, "cctp.paused", "paused"],
    ["functions that are none of CCTP's", { localMinter: undefined }, "cctp.pin_differs", "answer"],
  ])("names on an EVM chain %s", async (_what, answers, code, words) => {
    const findings = await findingsOf("base_sepolia", { answers })
    expect(findings[0]).toMatchObject({ severity: "unusable", code })
    expect(findings.map(({ message }) => message).join()).toContain(words)
  })

  test("asks nothing of an address without code, which is one finding", async () => {
    const code = { [EVM.messenger.toLowerCase()]: "0x" }
    const findings = await findingsOf("base_sepolia", { code, answers: { localMinter: undefined } })
    expect(findings.map((finding) => finding.code)).toEqual(["discover.not_a_contract"])
  })

  test("takes the contracts of version 2.0, which have no least fee", async () => {
    expect(await findingsOf("base_sepolia", { answers: { getMinFeeAmount: undefined } })).toEqual(
      [],
    )
  })

  test.each([
    ["another domain", [transmitterOf(7)], "cctp.pin_differs", "domain of the transmitter"],
    ["a pause", [transmitterOf(5, true)], "cctp.paused", "paused"],
    ["another messenger there", [remoteOf(OTHER)], "cctp.pin_differs", "of the destination"],
    ["no limit of a burn", [limitOf(0n)], "cctp.burn_limit", "not the token"],
    [
      "another token of mints",
      [pairOf(Keypair.fromSeed(Buffer.alloc(32, 6)).publicKey)],
      "cctp.pin_differs",
      "token of the mint",
    ],
    ["no pair", [[pairOf(MINT)[0], null] as const], "cctp.pin_differs", "token of the mint"],
    ["nothing left to mint", [stockOf(0n)], "cctp.minter_allowance", "minter"],
    ["other decimals", [mintOf(9)], "discover.decimals_differ", "9 decimals"],
    [
      "no program",
      [[TRANSMITTER.toBase58(), null] as const],
      "discover.not_a_contract",
      TRANSMITTER.toBase58(),
    ],
  ])("names on Solana %s", async (_what, accounts, code, words) => {
    const findings = await findingsOf("devnet", { accounts })
    expect(findings[0]).toMatchObject({ severity: "unusable", code })
    expect(findings.map(({ message }) => message).join()).toContain(words)
  })

  test("names code that is not the pinned one, on both families", async () => {
    const places = await inspectRoutes(configWith(), null, nodesWith())
    const { pinned } = parse(formatRoutePins(places)).routes.cctp
    const config = configWith(`, pinned: ${JSON.stringify(pinned)}`)
    const messenger = EVM.messenger.toLowerCase()
    const changed = await inspectRoutes(
      config,
      null,
      nodesWith({ code: { [messenger]: "0x6002" }, accounts: [codeOf("upgraded")] }),
    )
    expect(changed.map(({ findings }) => findings.map(({ code }) => code))).toEqual([
      ["discover.pin_differs"],
      ["discover.pin_differs", "discover.pin_differs"],
    ])
  })

  test("names a silent node, and reads the other chain", async () => {
    const [finding] = await findingsOf("devnet", { silent: "http://solana" })
    expect(finding).toMatchObject({ severity: "unusable", code: "discover.node_silent" })
  })
})
