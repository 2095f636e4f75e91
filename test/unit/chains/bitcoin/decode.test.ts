import { address, networks } from "bitcoinjs-lib"
import { expect, it } from "vitest"
import { createBitcoinChain } from "#chains/bitcoin/create-chain.ts"
import type { BitcoinDepositRequest } from "#chains/bitcoin/deposit-request.ts"
import type { ReportedLeg } from "#domain/leg.ts"
import { deriveHtlc } from "#sandbox/bitcoin/htlc.ts"
import {
  asVerified,
  btc,
  sampleOptions,
  sampleOrder,
  sampleSecretHash,
  serviceKey,
  xOnlyOf,
} from "../../../chains/bitcoin/sample-order.ts"

const chain = createBitcoinChain(sampleOptions(["http://127.0.0.1:1"]))
const ourKey = chain.sourceExtras["delegate"] ?? ""

function decode(change: Partial<ReportedLeg> = {}, request: Partial<BitcoinDepositRequest> = {}) {
  const order = sampleOrder(ourKey, 100_000n, change)
  return chain.decodeDeposit(
    { family: "bitcoin", to: order.source.swapId, units: 100_000n, ...request },
    order,
    btc,
  )
}

function codes(decoded: ReturnType<typeof decode>): string[] {
  return decoded.findings.map(({ code }) => code)
}

it("decodes an honest deposit with our refund leaf", () => {
  const { swapId } = sampleOrder(ourKey, 1n).source
  expect(decode()).toEqual({
    chain: "bitcoin_testnet",
    family: "bitcoin",
    htlcKind: "derivable-address",
    isRefundableByUs: true,
    hasTypedData: false,
    htlc: swapId,
    asset: btc,
    units: 100_000n,
    redeemer: serviceKey,
    refundTo: chain.account,
    secretHash: sampleSecretHash,
    timelock: 144n,
    extras: {
      htlc: {
        refundKey: ourKey,
        redeemKey: serviceKey,
        secretHash: sampleSecretHash,
        timelock: 144,
      },
    },
    findings: [],
  })
})

it("returns extras that survive the journal's JSON", () => {
  const decoded = asVerified(decode())
  expect(JSON.parse(JSON.stringify(decoded.extras))).toEqual(decoded.extras)
})

it("accepts compressed keys and capitals, which give the same HTLC", () => {
  const decoded = decode({ delegate: `02${ourKey}`, redeemer: `03${serviceKey}` })
  expect(codes(decoded)).toEqual([])
  expect(codes(decode({}, { to: decoded.htlc.toUpperCase() }))).toEqual([])
})

it.each([
  ["another key may redeem", { redeemer: xOnlyOf(8) }],
  ["another key may refund", { delegate: xOnlyOf(8) }],
  ["the lock is longer", { timelock: 145n }],
  ["the secret hash differs", { secretHash: "11".repeat(32) }],
] as const)("finds that the address is not the order's HTLC when %s", (_case, change) => {
  expect(codes(decode(change))).toEqual(["bitcoin.address_underived"])
})

it("finds a deposit address that differs from the order's", () => {
  const found = decode({}, { to: chain.account })
  expect(codes(found)).toEqual(["bitcoin.address_underived", "bitcoin.swap_id_mismatch"])
})

it.each([
  "",
  "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx",
  "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  "garbage",
])("finds that %j is not an address of this network", (to) => {
  expect(codes(decode({ swapId: to }, { to }))).toContain("bitcoin.address_network")
})

it("reports that the HTLC is not derivable, without a finding, when a key is invalid", () => {
  const decoded = decode({ redeemer: "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080" })
  expect(codes(decoded)).toEqual([])
  expect(decoded).toMatchObject({
    htlcKind: "underivable-address",
    isRefundableByUs: true,
    extras: { htlc: null },
  })
})

it("names the refund key when the refund leaf is not ours", () => {
  const foreign = xOnlyOf(9)
  const { swapId } = sampleOrder(foreign, 1n).source
  const decoded = decode({ delegate: foreign, swapId }, { to: swapId })
  expect(codes(decoded)).toEqual([])
  expect(decoded).toMatchObject({
    refundTo: foreign,
    htlcKind: "derivable-address",
    isRefundableByUs: false,
  })
})

it("finds locks that are not in blocks, and deposit requests of another family, without throwing", () => {
  expect(codes(decode({ timelock: 2n ** 40n }))).toEqual(["bitcoin.timelock_range"])
  const order = sampleOrder(ourKey, 1n)
  const foreign = chain.decodeDeposit({ family: "solana", transaction: "AA==" }, order, btc)
  expect(codes(foreign)).toContain("bitcoin.claim_family")
})

it("accepts addresses of its network, but none of an undefined witness version", () => {
  const versions = [0, 1, 2, 16].map((version) =>
    address.toBech32(Buffer.from(ourKey, "hex"), version, "bcrt"),
  )
  expect(versions.map((text) => chain.isAddress(text))).toEqual([true, true, false, false])
  expect(chain.sameAddress(chain.account, chain.account.toUpperCase())).toBe(true)
  expect(chain.sameAddress(chain.account, sampleOrder(ourKey, 1n).source.swapId)).toBe(false)
})

it("finds a payout address that is not the HTLC of the order's keys, secret hash and timelock", () => {
  const terms = {
    refundKey: xOnlyOf(9),
    redeemKey: serviceKey,
    secretHash: sampleSecretHash,
    timelock: 12,
  }
  const { address: swapId } = deriveHtlc(terms, networks.regtest)
  const { destination } = sampleOrder(ourKey, 100_000n)
  const { secretHash } = terms
  const leg = {
    ...destination,
    swapId,
    initiator: terms.refundKey,
    delegate: serviceKey,
    secretHash,
    timelock: 12n,
  }
  expect(chain.outputs?.checkDestination(leg)).toEqual([])
  const wrong = [
    { swapId: chain.account },
    { timelock: 13n },
    { delegate: xOnlyOf(8) },
    { secretHash: "00".repeat(32) },
  ]
  for (const change of wrong)
    expect(chain.outputs?.checkDestination({ ...leg, ...change })).toMatchObject([
      { code: "bitcoin.destination_underived" },
    ])
  // Without keys there is no HTLC to compare with.
  expect(chain.outputs?.checkDestination({ ...leg, delegate: null })).toEqual([])
})
