import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import type { RedeemHeadroom } from "#domain/key-use.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { silentLogger } from "#lib/log.ts"
import type { InspectingKeyHolder, SigningScope } from "#ports/key-holder.ts"
import { createSigningDesk, type SigningDesk } from "./create-signing-desk.ts"
import type { AssetLimit } from "./judge-signature.ts"
import { openSignatureLog, type SignatureLog } from "./signature-log.ts"
import { encodeRequest, parseRequest, type SignerQuestion } from "./wire.ts"

const CHAIN = toChainId("toy_chain")
const COIN = parseAssetId("toy_chain:coin")
const TOKEN = parseAssetId("toy_chain:token")
const HOUR_MS = 3_600_000
const START_MS = 1_800_000_000_000

let directory: string
let file: string
let signatures: SignatureLog
let nowMs: number
let limits: Map<ReturnType<typeof parseAssetId>, AssetLimit>
let signed: string[]

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "desk-"))
  file = join(directory, "signatures.db")
  signatures = openSignatureLog(file)
  nowMs = START_MS
  limits = new Map([[TOKEN, { perSignature: 100n, perHour: 250n, perDay: 400n }]])
  signed = []
})
afterEach(() => {
  signatures.close()
  rmSync(directory, { recursive: true })
})

/** The scope of a request is in its `unsigned`: only the desk is under test. */
type Act = Partial<SigningScope> & { readonly digest: string }

const keys: InspectingKeyHolder = {
  publicKey: "toy",
  account: "us",
  isRandomised: false,
  readTransaction: ({ unsigned }) =>
    scopeOf(
      JSON.parse(unsigned, (key, value) =>
        /units$/i.test(key) || key === "timelock" ? BigInt(value) : value,
      ),
    ),
  readTypedData: () => scopeOf({ digest: "typed", action: "gasless", resources: [] }),
  signTransaction: async (plan) => {
    signed.push(plan.digest)
    return { plan, raw: `raw ${plan.digest}`, txid: plan.digest }
  },
  signTypedData: async () => ({ digest: "typed", signature: "s" }),
}

function scopeOf(act: Act): SigningScope {
  const deposit = { secretHash: `hash of ${act.digest}`, timelock: 50n }
  const spends = [{ asset: TOKEN, units: 100n }]
  const at = {
    chain: CHAIN,
    account: "us",
    action: "initiate",
    resources: [`nonce:${act.digest}`],
  } as const
  return { ...at, isExclusive: true, deposit, spends, allowance: null, feeUnits: 1n, ...act }
}

async function ask(order: string, act: Act): Promise<string> {
  const unsigned = JSON.stringify(act, (_key, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  )
  const plan: TransactionPlan = {
    chain: CHAIN,
    account: "us",
    action: "initiate",
    attempt: 0,
    unsigned,
    digest: act.digest,
    resources: [],
    spends: [],
    maxFeeUnits: 1n,
    fromHeight: 1n,
    expiresAtHeight: null,
  }
  return answer({ kind: "transaction", order, plan, deposit: null }, "signed")
}

async function answer(question: SignerQuestion, good: string): Promise<string> {
  const desk: SigningDesk = createSigningDesk({
    chains: new Map([[CHAIN, { keys, coin: COIN, timelocks: { min: 10n, max: 100n } }]]),
    limits: { byAsset: limits, signaturesPerHour: 20 },
    clock: { now: () => nowMs, sleep: async () => undefined },
    signatures,
    log: silentLogger,
  })
  return desk(parseRequest(encodeRequest(1, question))).then(
    () => good,
    (error: { code: string; disposition: string }) => `${error.code} ${error.disposition}`,
  )
}

/** The question before the secret of an order is told. */
function probe(order: string, redemption: Partial<RedeemHeadroom> = {}): Promise<string> {
  const usual = { chain: CHAIN, secretHash: `hash of ${order}`, feeUnits: 4n, others: 0 }
  return answer({ kind: "headroom", order, ...usual, ...redemption }, "yes")
}

describe("the question for headroom", () => {
  const redemption = { action: "redeem", deposit: null, spends: [], feeUnits: 4n } as const
  const redeem = (order: string, digest: string) =>
    ask(order, { digest, ...redemption, redeemsHash: `hash of ${order}` })

  beforeEach(() => {
    limits.set(COIN, { perSignature: null, perHour: null, perDay: 10n })
  })

  test("is answered as the signature would be, and uses nothing up", async () => {
    expect(await ask("a", { digest: "a" })).toBe("signed")
    for (let index = 0; index < 30; index++) expect(await probe("a")).toBe("yes")
    expect(signatures.listOfDay(nowMs)).toHaveLength(1)
    expect(signed).toEqual(["a"])
    expect(await redeem("a", "p0")).toBe("signed")
    expect(await probe("a")).toBe("yes")
    expect(await redeem("a", "p1")).toBe("signed")
    expect(await probe("a")).toBe("signer.velocity transient")
    expect(await redeem("a", "p2")).toBe("signer.velocity transient")
    nowMs += 24 * HOUR_MS + 1
    expect(await probe("a")).toBe("yes")
  })

  test("counts the redemptions of the other told secrets, by amount and by number", async () => {
    expect(await ask("a", { digest: "a" })).toBe("signed")
    expect(await probe("a", { others: 1 })).toBe("yes")
    expect(await probe("a", { others: 2 })).toBe("signer.velocity transient")
    expect(await probe("a", { feeUnits: 0n, others: 19 })).toBe("yes")
    expect(await probe("a", { feeUnits: 0n, others: 20 })).toBe("signer.rate transient")
  })

  test("is refused after the refund, for a chain without a key, and by a secret of no deposit", async () => {
    expect(await ask("a", { digest: "a" })).toBe("signed")
    expect(await ask("b", { digest: "b" })).toBe("signed")
    expect(await ask("b", { digest: "r", ...redemption, action: "refund", feeUnits: 8n })).toBe(
      "signed",
    )
    expect(await probe("b")).toBe("signer.refund_signed refused")
    // The refund used up the reserve of rescues, and none of the redemptions of deposits.
    expect(await probe("a")).toBe("yes")
    expect(await probe("c")).toBe("signer.velocity transient")
    const chain = toChainId("another_chain")
    expect(await probe("a", { chain })).toBe("signer.chain_unknown refused")
  })
})

describe("a redemption with a fee above the urgent cap", () => {
  const redemption = {
    digest: "dear",
    action: "redeem",
    deposit: null,
    spends: [],
    feeUnits: 900n,
  } as const
  const dear = { ...redemption, dearRedemptionOf: "hash of a" }

  beforeEach(() => {
    limits = new Map([...limits, [COIN, { perSignature: 900n, perHour: null, perDay: 5_000n }]])
  })

  test("needs a deposit with the same secret in the record", async () => {
    expect(await ask("a", dear)).toBe("signer.dear_redemption refused")
    expect(await ask("b", { digest: "b" })).toBe("signed")
    // The same order, and another secret.
    expect(await ask("b", dear)).toBe("signer.dear_redemption refused")
    expect(await ask("a", { digest: "a" })).toBe("signed")
    expect(await ask("a", dear)).toBe("signed")
    expect(signed).toEqual(["b", "a", "dear"])
  })

  test("may pay for a deposit that a relay brought", async () => {
    expect(await ask("a", { digest: "a", action: "gasless", feeUnits: 0n })).toBe("signed")
    expect(await ask("a", dear)).toBe("signed")
  })

  test("stays within the limit for one signature of the coin", async () => {
    expect(await ask("a", { digest: "a" })).toBe("signed")
    expect(await ask("a", { ...dear, feeUnits: 901n })).toBe("signer.amount refused")
    limits.delete(COIN)
    expect(await ask("a", dear)).toBe("signer.dear_redemption refused")
    // Below the urgent cap the coin needs no limit.
    expect(await ask("a", redemption)).toBe("signed")
  })

  test("counts against the limits over time", async () => {
    limits.set(COIN, { perSignature: null, perHour: null, perDay: 1_000n })
    expect(await ask("a", { digest: "a" })).toBe("signed")
    expect(await ask("a", dear)).toBe("signed")
    const second = { ...dear, digest: "dear2", resources: ["nonce:2"] }
    expect(await ask("a", second)).toBe("signer.velocity transient")
  })
})

describe("a redemption that tells a secret", () => {
  const refund = { action: "refund", deposit: null, spends: [] } as const
  const redemption = {
    action: "redeem",
    deposit: null,
    spends: [],
    redeemsHash: "hash of a",
  } as const

  test(
    "is not signed after the refund of the deposit with this secret, whatever the order is " +
      "called",
    async () => {
      expect(await ask("a", { digest: "a" })).toBe("signed")
      expect(await ask("b", { digest: "r", ...refund })).toBe("signed")
      expect(await ask("a", { digest: "p0", ...redemption })).toBe("signed")
      expect(await ask("a", { digest: "r0", ...refund })).toBe("signed")
      expect(await ask("a", { digest: "p1", ...redemption })).toBe("signer.refund_signed refused")
      expect(await ask("z", { digest: "p2", ...redemption })).toBe("signer.refund_signed refused")
      signatures.close()
      signatures = openSignatureLog(file)
      expect(await ask("a", { digest: "p3", ...redemption })).toBe("signer.refund_signed refused")
      expect(await ask("c", { digest: "p4", ...redemption, redeemsHash: "hash of c" })).toBe(
        "signed",
      )
    },
  )

  test("does not rule the refund out, because a lost payout leaves nothing else", async () => {
    expect(await ask("a", { digest: "a" })).toBe("signed")
    expect(await ask("a", { digest: "p", ...redemption })).toBe("signed")
    expect(await ask("a", { digest: "r", ...refund })).toBe("signed")
  })
})

describe("limits over time", () => {
  test("count what was signed, until the hour and the day have passed", async () => {
    expect(await ask("a", { digest: "a" })).toBe("signed")
    expect(await ask("b", { digest: "b" })).toBe("signed")
    expect(await ask("c", { digest: "c" })).toBe("signer.velocity refused")
    expect(await ask("c", { digest: "c", spends: [{ asset: TOKEN, units: 50n }] })).toBe("signed")
    nowMs += HOUR_MS + 1
    expect(await ask("d", { digest: "d" })).toBe("signed")
    expect(await ask("e", { digest: "e", spends: [{ asset: TOKEN, units: 51n }] })).toBe(
      "signer.velocity refused",
    )
    nowMs += 24 * HOUR_MS
    expect(await ask("e", { digest: "e" })).toBe("signed")
    expect(signed).toEqual(["a", "b", "c", "d", "e"])
  })

  test("are not freed by a clock that is set back, or by a restart", async () => {
    for (const order of ["a", "b"]) await ask(order, { digest: order })
    nowMs -= 365 * 24 * HOUR_MS
    expect(await ask("c", { digest: "c" })).toBe("signer.velocity refused")
    signatures.close()
    signatures = openSignatureLog(file)
    expect(await ask("c", { digest: "c" })).toBe("signer.velocity refused")
    nowMs = START_MS + HOUR_MS - 1
    expect(await ask("c", { digest: "c" })).toBe("signer.velocity refused")
    nowMs = START_MS + HOUR_MS + 1
    expect(await ask("c", { digest: "c" })).toBe("signed")
  })

  test("count fee bumps of one nonce once, and signatures that do not exclude each other each", async () => {
    const deposit = { secretHash: "one", timelock: 50n }
    for (const digest of ["a0", "a1", "a2"]) {
      expect(await ask("a", { digest, deposit, resources: ["nonce:1"] })).toBe("signed")
    }
    const open = {
      deposit: { secretHash: "two", timelock: 50n },
      resources: ["swap:1"],
      isExclusive: false,
    }
    expect(await ask("b", { digest: "b0", ...open })).toBe("signed")
    expect(await ask("b", { digest: "b1", ...open })).toBe("signer.velocity refused")
  })

  test("make a refund or a redemption wait, and include the fee in the coin's limit", async () => {
    limits.set(COIN, { perSignature: null, perHour: 10n, perDay: null })
    const refund = { action: "refund", deposit: null, spends: [], feeUnits: 6n } as const
    expect(await ask("a", { digest: "r0", ...refund })).toBe("signed")
    expect(await ask("b", { digest: "r1", ...refund })).toBe("signer.velocity transient")
    expect(await ask("d", { digest: "r2", ...refund, action: "redeem" })).toBe(
      "signer.velocity transient",
    )
    expect(await ask("c", { digest: "c", feeUnits: 6n })).toBe("signer.velocity refused")
  })

  test.each(["perHour", "perDay"] as const)(
    "keep a reserve (%s) that deposits cannot use up",
    async (window) => {
      limits.set(COIN, { perSignature: null, perHour: null, perDay: null, [window]: 10n })
      const rescue = { deposit: null, spends: [], feeUnits: 4n } as const
      const redemption = { ...rescue, action: "redeem", redeemsHash: "hash of a" } as const
      const spends = [{ asset: COIN, units: 9n }]
      expect(await ask("a", { digest: "a", spends })).toBe("signed")
      expect(await ask("b", { digest: "b", spends })).toBe("signer.velocity refused")
      expect(await ask("r", { digest: "r", ...rescue, action: "refund" })).toBe("signed")
      expect(await ask("v", { digest: "v", ...rescue, action: "void" })).toBe("signed")
      // Refunds and voids use up no redemption whose secret belongs to a deposit of the record.
      const unowed = { ...redemption, digest: "x", redeemsHash: "hash of x" }
      expect(await ask("x", unowed)).toBe("signer.velocity transient")
      expect(await ask("a", { digest: "p0", ...redemption })).toBe("signed")
      expect(await ask("a", { digest: "p1", ...redemption })).toBe("signed")
      expect(await ask("a", { digest: "p2", ...redemption })).toBe("signer.velocity transient")
    },
  )

  test("let deposits and allowances use up no signature of a rescue", async () => {
    limits.clear()
    const deposits = Array.from({ length: 20 }, (_, index) => `d${index}`)
    for (const digest of deposits) expect(await ask(digest, { digest })).toBe("signed")
    expect(await ask("d20", { digest: "d20" })).toBe("signer.rate refused")
    const rescue = { deposit: null, spends: [] } as const
    for (const action of ["refund", "void", "redeem"] as const)
      expect(await ask("d0", { digest: action, ...rescue, action })).toBe("signed")
    const allowance = { asset: TOKEN, units: 0n }
    expect(await ask("p", { digest: "p", ...rescue, action: "approve", allowance })).toBe("signed")
  })

  test("bound the number of signatures", async () => {
    const nothing = { action: "void", deposit: null, spends: [], feeUnits: 0n } as const
    for (let index = 0; index < 20; index++)
      expect(await ask("v", { digest: `v${index}`, ...nothing })).toBe("signed")
    expect(await ask("v", { digest: "v20", ...nothing })).toBe("signer.rate transient")
    expect(await ask("c", { digest: "c" })).toBe("signer.rate refused")
    // Nothing replaces the end of an allowance, and a new allowance belongs to a deposit.
    const approve = { action: "approve", deposit: null, spends: [], feeUnits: 0n } as const
    const allowance = (units: bigint) => ({ allowance: { asset: TOKEN, units } })
    expect(await ask("p", { digest: "p0", ...approve, ...allowance(0n) })).toBe(
      "signer.rate transient",
    )
    expect(await ask("p", { digest: "p1", ...approve, ...allowance(1n) })).toBe(
      "signer.rate refused",
    )
  })
})

describe("one deposit", () => {
  test("an order and a secret hash have one, apart from versions that exclude it", async () => {
    const deposit = { secretHash: "one", timelock: 50n }
    expect(await ask("a", { digest: "a0", deposit, resources: ["nonce:1"] })).toBe("signed")
    expect(await ask("a", { digest: "a1", deposit, resources: ["nonce:2"] })).toBe(
      "signer.second_deposit refused",
    )
    expect(await ask("b", { digest: "b0", deposit, resources: ["nonce:3"] })).toBe(
      "signer.second_deposit refused",
    )
    expect(await ask("a", { digest: "a2", resources: ["nonce:1"] })).toBe(
      "signer.order_reused refused",
    )
    expect(await ask("c", { digest: "c0", resources: ["nonce:1"] })).toBe(
      "signer.resource_reused refused",
    )
    expect(await ask("a", { digest: "a3", deposit, resources: ["nonce:1"] })).toBe("signed")
  })

  test("a direct deposit may follow a relayed one with the same terms, and counts once with it", async () => {
    const deposit = { secretHash: "one", timelock: 50n }
    const relayed = {
      digest: "g0",
      action: "gasless",
      deposit,
      resources: ["terms:one"],
      feeUnits: 0n,
    } as const
    expect(await ask("a", relayed)).toBe("signed")
    expect(await ask("a", { digest: "a0", deposit, resources: ["nonce:1", "terms:other"] })).toBe(
      "signer.second_deposit refused",
    )
    expect(await ask("a", { digest: "a1", deposit, resources: ["nonce:1", "terms:one"] })).toBe(
      "signed",
    )
    expect(await ask("a", { digest: "a2", deposit, resources: ["nonce:2", "terms:one"] })).toBe(
      "signer.second_deposit refused",
    )
    expect(await ask("b", { digest: "b", spends: [{ asset: TOKEN, units: 100n }] })).toBe("signed")
    expect(await ask("c", { digest: "c", spends: [{ asset: TOKEN, units: 50n }] })).toBe("signed")
  })

  test("the same content is signed again, whatever the limits say by now", async () => {
    expect(await ask("a", { digest: "a" })).toBe("signed")
    limits.set(TOKEN, { perSignature: 0n, perHour: 0n, perDay: 0n })
    expect(await ask("a", { digest: "a" })).toBe("signed")
    expect(signatures.listOfDay(nowMs)).toHaveLength(1)
  })

  test("needs a timelock within bounds, and an allowance within the limit", async () => {
    for (const timelock of [9n, 101n]) {
      expect(await ask("a", { digest: "a", deposit: { secretHash: "x", timelock } })).toBe(
        "signer.timelock refused",
      )
    }
    const approve = { action: "approve", deposit: null, spends: [] } as const
    expect(
      await ask("a", { digest: "p", ...approve, allowance: { asset: TOKEN, units: 101n } }),
    ).toBe("signer.amount refused")
    expect(
      await ask("a", { digest: "p", ...approve, allowance: { asset: TOKEN, units: 100n } }),
    ).toBe("signed")
  })
})

test("the record takes no change and no deletion", async () => {
  await ask("a", { digest: "a" })
  const db = new DatabaseSync(file)
  for (const table of ["signatures", "used_resources"]) {
    expect(() => db.exec(`delete from ${table}`)).toThrow("append-only")
    expect(() => db.exec(`update ${table} set seq = 9`)).toThrow("append-only")
  }
  db.close()
})
