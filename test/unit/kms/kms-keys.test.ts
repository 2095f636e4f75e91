import { createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  type Hex,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
  verifyTypedData,
} from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openKmsAccount } from "#chains/evm/spend/kms-account.ts"
import { openKmsKey, reachOf } from "#kms/open-kms-key.ts"
import {
  type KmsStandIn,
  startKmsStandIn,
  writeAwsProfile,
  writeGcpAccount,
} from "../../support/kms-stand-in.ts"
import { createJumpingClock } from "../../support/request-limit.ts"

const pair = generateKeyPairSync("ec", { namedCurve: "secp256k1" }).privateKey
const account = generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey
const owner = addressOf(pair)
const dir = mkdtempSync(join(tmpdir(), "kms-"))
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

let standIn: KmsStandIn
beforeAll(async () => {
  standIn = await startKmsStandIn({ key: pair, account })
})
afterAll(() => standIn.close())

function addressOf(key: KeyObject): Hex {
  const scalar = Buffer.from(key.export({ format: "jwk" }).d ?? "", "base64url")
  return privateKeyToAccount(`0x${scalar.toString("hex")}`).address
}

const KEY = {
  aws: "aws-kms:arn:aws:kms:eu-central-1:111122223333:key/1234abcd",
  gcp: "gcp-kms:projects/p/locations/europe/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1",
} as const
type Provider = keyof typeof KEY

function nameOf(provider: Provider, { address = owner, url = standIn.url, credentials = "" } = {}) {
  const file =
    provider === "aws"
      ? writeAwsProfile(join(dir, "aws"))
      : writeGcpAccount(join(dir, "gcp"), { url: standIn.url, account })
  const place = `credentials=file:${credentials || file}&endpoint=${url}`
  return `${KEY[provider]}?address=${address}&${place}`
}

function open(provider: Provider, given: Parameters<typeof nameOf>[1] = {}) {
  const name = nameOf(provider, given)
  const key = openKmsKey(name, createJumpingClock(Date.now()))
  return openKmsAccount(given.address ?? owner, async () => key)
}

const TRANSFER = {
  type: "eip1559",
  chainId: 1,
  to: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
  gas: 21_000n,
  maxFeePerGas: 1_000_000_000n,
} as const

const fails = (code: string, disposition: string) => expect.objectContaining({ code, disposition })

const BUSY = {
  aws: [400, { __type: "ThrottlingException", message: "Rate exceeded" }],
  gcp: [429, { error: { status: "RESOURCE_EXHAUSTED", message: "Quota exceeded" } }],
} as const

type Answer = readonly [number, object]

const REFUSED: Record<Provider, readonly (readonly [string, Answer, string])[]> = {
  aws: [
    ["AccessDenied", [400, { __type: "AccessDeniedException", Message: "no" }], "kms.denied"],
    ["NotFound", [400, { __type: "NotFoundException" }], "kms.key_missing"],
    ["Disabled", [400, { __type: "com.amazonaws.kms#DisabledException" }], "kms.key_kind"],
    ["a key of RSA", [200, { PublicKey: rsa("der").toString("base64") }], "kms.key_kind"],
  ],
  gcp: [
    ["PERMISSION_DENIED", [403, { error: { status: "PERMISSION_DENIED" } }], "kms.denied"],
    ["NOT_FOUND", [404, { error: { status: "NOT_FOUND" } }], "kms.key_missing"],
    ["DISABLED", [400, { error: { status: "FAILED_PRECONDITION" } }], "kms.key_kind"],
    ["a key of RSA", [200, { pem: rsa("pem").toString() }], "kms.key_kind"],
  ],
}

function rsa(format: "der" | "pem"): Buffer {
  // CAST: each form has an overload of its own, and both give bytes or their text.
  return Buffer.from(createPublicKey(account).export({ format: format as "der", type: "spki" }))
}

describe.each(["aws", "gcp"] as const)("a key in %s", (provider) => {
  test("signs what viem recovers, always with the lower s", async () => {
    const { account: signer, unlock } = open(provider)
    await unlock()
    for (let nonce = 0; nonce < 12; nonce++) {
      const raw = await signer.signTransaction({ ...TRANSFER, nonce })
      // CAST: the account serializes this type of transaction only.
      const serializedTransaction = raw as TransactionSerialized<"eip1559">
      expect(await recoverTransactionAddress({ serializedTransaction })).toBe(owner)
      expect(BigInt(parseTransaction(serializedTransaction).s ?? 0)).toBeLessThanOrEqual(HALF_ORDER)
    }
    const data = {
      domain: { name: "HTLC", version: "3", chainId: 1, verifyingContract: TRANSFER.to },
      types: { Initiate: [{ name: "amount", type: "uint256" }] },
      primaryType: "Initiate",
      message: { amount: 5n },
    } as const
    const signature = await signer.signTypedData(data)
    expect(await verifyTypedData({ ...data, address: owner, signature })).toBe(true)
  })

  test("is proven before it is used", async () => {
    const address = "0x5FbDB2315678afecb367f032d93F642f64180aa3"
    const other = open(provider, { address })
    await expect(other.unlock()).rejects.toThrow(owner)
    await expect(other.unlock()).rejects.toEqual(fails("kms.key_mismatch", "fatal"))
    for (const { account: unproven } of [other, open(provider)])
      await expect(unproven.signTransaction({ ...TRANSFER, nonce: 1 })).rejects.toEqual(
        fails("kms.locked", "bug"),
      )
  })

  test("waits while the service is busy, and gives up in time", async () => {
    const { account: signer, unlock } = open(provider)
    await unlock()
    const busy = BUSY[provider]
    const before = standIn.calls.length
    standIn.failNext(busy, [500, {}])
    expect(await signer.signTransaction({ ...TRANSFER, nonce: 1 })).toMatch(/^0x02/)
    expect(standIn.calls.length - before).toBe(3)
    standIn.failNext(busy, busy, busy, busy)
    await expect(signer.signTransaction({ ...TRANSFER, nonce: 1 })).rejects.toEqual(
      fails("kms.busy", "transient"),
    )
  })

  test.each(REFUSED[provider])("names its refusal %s", async (_name, answer, code) => {
    const { unlock } = open(provider)
    standIn.failNext(answer)
    await expect(unlock()).rejects.toEqual(fails(code, "fatal"))
  })

  test("never gives up while it runs: a person may restore what is refused", async () => {
    const { account: signer, unlock } = open(provider)
    await unlock()
    for (const [, answer, code] of REFUSED[provider].slice(0, 3)) {
      standIn.failNext(answer)
      await expect(signer.signTransaction({ ...TRANSFER, nonce: 3 })).rejects.toEqual(
        fails(code, "transient"),
      )
    }
    expect(await signer.signTransaction({ ...TRANSFER, nonce: 3 })).toMatch(/^0x02/)
  })

  test("names a service that is away, and a text in place of a signature", async () => {
    await expect(open(provider, { url: "http://127.0.0.1:9" }).unlock()).rejects.toEqual(
      fails("kms.unreachable", "transient"),
    )
    const { account: signer, unlock } = open(provider)
    await unlock()
    // The last one is a signature, of another key, and is not asked for again.
    for (const [signature, times] of [
      ["", 4],
      ["AAAA", 4],
      ["MAYCAQECAQI=", 1],
    ] as const) {
      standIn.failNext(...Array<Answer>(times).fill([200, { Signature: signature, signature }]))
      await expect(signer.signTransaction({ ...TRANSFER, nonce: 2 })).rejects.toEqual(
        fails("kms.signature", "transient"),
      )
    }
  })

  test("refuses credentials that are none, and those of another", async () => {
    const none = join(dir, "none")
    writeFileSync(none, "nothing")
    await expect(open(provider, { credentials: none }).unlock()).rejects.toEqual(
      fails("kms.credentials", "fatal"),
    )
    const other = generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey
    const credentials =
      provider === "aws"
        ? writeAwsProfile(join(dir, "other"), "another-secret")
        : writeGcpAccount(join(dir, "other"), { url: standIn.url, account: other })
    await expect(open(provider, { credentials }).unlock()).rejects.toEqual(
      fails("kms.denied", "fatal"),
    )
  })
})

test("tells the hosts that a key needs", () => {
  const aws = `${KEY.aws}?address=${owner}`
  const gcp = `${KEY.gcp}?address=${owner}`
  expect(reachOf(aws)).toEqual(["kms.eu-central-1.amazonaws.com:443", "169.254.169.254:80"])
  expect(reachOf(gcp)).toEqual(["cloudkms.googleapis.com:443", "metadata.google.internal:80"])
  expect(reachOf(aws.replace("arn:aws:", "arn:aws-cn:"))[0]).toMatch(/amazonaws\.com\.cn:443$/)
  const port = new URL(standIn.url).port
  expect(reachOf(nameOf("gcp"))).toEqual([`127.0.0.1:${port}`, `127.0.0.1:${port}`])
})

test.each([
  ["aws-kms:alias/hot", "one key"],
  [KEY.aws, "address"],
  [`${KEY.aws}?address=0x12`, "address"],
  [`${KEY.gcp}?address=${owner}&secret=1`, "only address"],
  [`${KEY.gcp}?address=${owner}&credentials=hello`, "credentials"],
  [`${KEY.gcp}?address=${owner}&endpoint=http://kms.example`, "https"],
])("refuses the name %s", (name, words) => {
  expect(() => openKmsKey(name)).toThrow(words)
})
