import { createHash } from "node:crypto"
import { networks } from "bitcoinjs-lib"
import { expect, test } from "vitest"
import { describeSwap } from "./describe-swap.ts"
import { deriveHtlc } from "./htlc.ts"
import { redeemPath } from "./spend-path.ts"

// Published orders of live deployments on a test network, with the addresses that the service
// showed for these terms.
const SOLVER_KEY = "460f2e8ff81fc4e0a8e6ce7796704e3829e3e3eedb8db9390bdc51f4f04cf0a6"
const SOURCE = {
  secretHash: "3c4522983261f81e2e679346bbda5dddd8b4ea0367dd4073f73f13320d9dee62",
  refundKey: "8f716d079bd4a6cb5c47a24cd22c352ffb50089e4461043cfe3b1f0f9082eec8",
  redeemKey: SOLVER_KEY,
  timelock: 144,
}
const DESTINATIONS = [
  {
    secretHash: "b8841dc97c588ab9e1b94f62627b97d54f8c1048b28c26749d413032e9d66c4e",
    redeemKey: "be7d111dca1cc2b967d1d1a20bf05c2cd5050307b072dd8bfccdf8cd52fddae7",
    address: "tb1pydwnxvdwfhs674py5z7wfst9nvm2t92s9lpfs6l7v4e0tsfxx64shepc0x",
  },
  {
    secretHash: "e7b213af79add7fb7457238fc65df61cb4dea13b3ae374f1b5c69538e5fcb98a",
    redeemKey: "60e484adb39f5dc2af267c160c92afcbc1dd93e9c4c745316b8f55c8e0d664fc",
    address: "tb1psllge60w4dtm9lkwhflyznay60775nl3k06s2rl6r96d99kv7ccqaxtq7h",
  },
]

test("derives the published address of a source swap with a 144 block timelock", () => {
  expect(deriveHtlc(SOURCE, networks.testnet).address).toBe(
    "tb1ptt49v22dcst7mquwfsmcu2t56xjg07whtcgufvhjuj5zu89y6q0qn8fvfp",
  )
})

test.each(DESTINATIONS)(
  "derives the published address $address with a 12 block timelock",
  ({ address, ...terms }) => {
    const htlc = deriveHtlc({ ...terms, refundKey: SOLVER_KEY, timelock: 12 }, networks.testnet)
    expect(htlc.address).toBe(address)
  },
)

test("the published secret of the source swap hashes to its secret hash", () => {
  const secret = Buffer.from(
    "8cb8a02d5592b0b1556978e1d778b7eff2c23519b8aa65970fa6ac3daa33fb40",
    "hex",
  )
  expect(createHash("sha256").update(secret).digest("hex")).toBe(SOURCE.secretHash)
})

test.each([
  ["refundKey", SOLVER_KEY],
  ["redeemKey", SOURCE.refundKey],
  ["secretHash", DESTINATIONS[0]?.secretHash],
  ["timelock", 145],
])("another %s gives another address", (field, value) => {
  const other = deriveHtlc({ ...SOURCE, [field]: value }, networks.testnet)
  expect(other.address).not.toBe(deriveHtlc(SOURCE, networks.testnet).address)
})

test("gives the redeem key of a destination to the user who sent one", () => {
  const secret = Buffer.alloc(32, 7)
  const secretHash = createHash("sha256").update(secret).digest("hex")
  const request = {
    assetId: "bitcoin_testnet:btc",
    units: 1_000n,
    owner: "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080",
    secretHash,
    timelock: 12,
  }
  const own = describeSwap("destination", "bitcoin_testnet", {
    ...request,
    delegate: "ab".repeat(32),
  })
  const theirs = describeSwap("destination", "bitcoin_testnet", request)
  expect(own.delegate).toBe("ab".repeat(32))
  expect(own.swapId).not.toBe(theirs.swapId)
  expect(redeemPath(theirs, secret.toString("hex"), "").payTo).toBe(request.owner)
  expect(() => redeemPath(own, secret.toString("hex"), "")).toThrow(
    "only the user holds the redeem key",
  )
})
