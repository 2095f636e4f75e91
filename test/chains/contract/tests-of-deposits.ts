import { expect } from "vitest"
import type { DecodedDeposit, DepositRequest } from "#domain/deposit.ts"
import { encodeJson } from "#lib/json.ts"
import { whyNot } from "./missing-abilities.ts"
import { needing, portTests } from "./port-test.ts"
import { approve, asVerified, deposit, openDeposit, orderOf, queryOf, refusalsOf } from "./scene.ts"
import { failureOf } from "./tests-of-reads.ts"

export const DEPOSITS = portTests({
  "decodes an honest request into exactly the swap, without findings": async (scene) => {
    const { port, asset, units } = scene.wallet
    const { swap, deposit: decoded } = await openDeposit(scene)
    expect(decoded).toMatchObject({
      chain: port.chain,
      family: port.family,
      asset,
      units,
      secretHash: swap.secretHash,
      timelock: BigInt(swap.timelock),
      findings: [],
    })
    expect(decoded.htlc.toLowerCase()).toBe((queryOf(scene, swap).htlc ?? "").toLowerCase())
    expect(decoded.redeemer.toLowerCase()).toBe(swap.redeemer.toLowerCase())
    expect(port.sameAddress(decoded.refundTo, port.account)).toBe(true)
    expect(JSON.parse(JSON.stringify(decoded.extras))).toEqual(decoded.extras)
  },
  "finds every change to a request, and never throws": async (scene) => {
    const { port, asset } = scene.wallet
    const { depositRequest, order, deposit: honest } = await openDeposit(scene)
    const unnoticed: string[] = []
    for (const { path, hostile } of corruptionsOf(depositRequest)) {
      const decoded = port.decodeDeposit(hostile, order, asset)
      if (encodeJson(decoded) === encodeJson(honest)) unnoticed.push(path)
    }
    expect(unnoticed.filter((path) => !MAY_DIFFER.test(path))).toEqual([])
  },
  "has a finding for a request of another family, and for garbage": async ({
    local,
    wallet: { port, asset, units },
  }) => {
    const request = {
      assetId: asset,
      units,
      owner: port.account,
      timelock: 9,
      secretHash: "0b".repeat(32),
    }
    const order = orderOf(await local.describeDestination(request))
    for (const request of GARBAGE) {
      const decoded = port.decodeDeposit(request, order, asset)
      expect([request.family, decoded.findings.length > 0]).toEqual([request.family, true])
      for (const { code, message } of decoded.findings)
        expect([code, message].every((text) => text.length > 3)).toBe(true)
    }
  },
  "never throws for a garbled order read back, and finds its lies": async (scene) => {
    const { port, asset } = scene.wallet
    const { depositRequest, order, deposit: honest } = await openDeposit(scene)
    for (const text of ["", "0x", "zz".repeat(32), "x".repeat(10_000), "\u0000"]) {
      for (const key of ["swapId", "initiator", "redeemer", "delegate", "secretHash"] as const) {
        const decoded = port.decodeDeposit(
          depositRequest,
          { ...order, source: { ...order.source, [key]: text } },
          asset,
        )
        expect(decoded.family).toBe(port.family)
        // On Bitcoin the terms stand in the order alone, so the decoder finds a lie in it.
        if (port.family !== "bitcoin" || key === "initiator") continue
        expect([key, text, encodeJson(decoded) === encodeJson(honest)]).toEqual([key, text, false])
      }
    }
    for (const timelock of [0n, -1n, 2n ** 40n, 2n ** 256n]) {
      port.decodeDeposit(depositRequest, { ...order, source: { ...order.source, timelock } }, asset)
    }
  },
  "approves exactly the missing allowance, and then needs none": needing(
    "approval",
    async (scene) => {
      const { port, asset } = scene.wallet
      const opened = await openDeposit(scene)
      const { htlc, units } = opened.deposit
      expect(await port.findMissingApproval(asset, htlc, units)).toEqual({ setUnits: units })
      await approve(scene, opened)
      expect(await port.findMissingApproval(asset, htlc, units)).toBeNull()
      expect(await port.findMissingApproval(asset, htlc, units + 1n)).toEqual({
        setUnits: units + 1n,
      })
      expect(await port.findMissingApproval(asset, htlc, units - 1n)).toEqual({
        setUnits: units - 1n,
      })
      await deposit(scene, opened)
      // The deposit uses up the approval, so no allowance is left.
      expect(await port.findMissingApproval(asset, htlc, 0n)).toBeNull()
    },
  ),
  "needs no approval where the family has none": async (scene) => {
    if (whyNot("approval", scene.variant) === null) return
    const { deposit: decoded } = await openDeposit(scene)
    expect(
      await scene.wallet.port.findMissingApproval(scene.wallet.asset, decoded.htlc, decoded.units),
    ).toBeNull()
  },
  "refuses a deposit of more than the wallet holds, with the numbers": async (scene) => {
    const { port, asset } = scene.wallet
    const haveUnits = (await port.fetchBalance(asset, new Set())).units
    const opened = await openDeposit(scene, { units: haveUnits + 1n })
    const [refusal, ...more] = await refusalsOf(scene, {
      action: "initiate",
      asset,
      deposit: opened.deposit,
    })
    expect(more).toEqual([])
    expect(refusal).toMatchObject({ code: "funds.insufficient", haveUnits: `${haveUnits}` })
    expect(BigInt(refusal?.["needUnits"] ?? 0)).toBeGreaterThan(haveUnits)
  },
  "refuses a native deposit that leaves nothing for the fee, with the numbers": async (scene) => {
    const { port, asset, native } = scene.wallet
    if (asset !== native) return
    const { units } = await port.fetchBalance(asset, new Set())
    const opened = await openDeposit(scene, { units })
    const [refusal] = await refusalsOf(scene, {
      action: "initiate",
      asset,
      deposit: opened.deposit,
    })
    expect(refusal?.code).toMatch(/^funds\.(insufficient|gas)$/)
    expect(BigInt(refusal?.["needUnits"] ?? 0)).toBeGreaterThan(BigInt(refusal?.["haveUnits"] ?? 0))
  },
  "refuses to plan a deposit into an HTLC that is not configured": async (scene) => {
    const { port, asset } = scene.wallet
    // On Bitcoin every HTLC is an address of its own, so there is no list of configured ones.
    if (port.family === "bitcoin") return
    const { deposit: honest } = await openDeposit(scene)
    const foreign = asVerified({ ...honest, htlc: honest.redeemer })
    const result = await port
      .planTransaction({ action: "initiate", asset, deposit: foreign }, new Set())
      .catch((error) => error)
    expect(
      "refused" in result || result.disposition === "refused" || result.disposition === "bug",
    ).toBe(true)
  },
  "signs typed data that the contract accepts, with the same bytes each time": needing(
    "gasless",
    async (scene) => {
      const { local, wallet } = scene
      const opened = await openDeposit(scene)
      await approve(scene, opened)
      const signed = await wallet.port.signTypedData(opened.deposit)
      // The life of a signature that dies is read anew each time, so only the bytes are the same.
      const { digest, signature } = await wallet.port.signTypedData(opened.deposit)
      expect({ digest, signature }).toEqual({ digest: signed.digest, signature: signed.signature })
      expect(signed.digest).toMatch(/^(0x)?[0-9a-f]+$/)
      const before = await wallet.port.fetchBalance(wallet.asset, new Set())
      await local.initiateWithSignature(opened.swap, signed.signature)
      await local.advance(1)
      expect((await local.observeSwap(opened.swap)).initiated).toMatchObject({
        filledUnits: wallet.units,
      })
      const leg = await wallet.port.observeLeg(queryOf(scene, opened.swap))
      expect(leg.initiated).toMatchObject({ units: wallet.units })
      const after = await wallet.port.fetchBalance(wallet.asset, new Set())
      expect(before.units - after.units).toBe(wallet.units)
    },
  ),
  "does not sign typed data that differs from the verified deposit": needing(
    "gasless",
    async (scene) => {
      const { port } = scene.wallet
      const { deposit: honest } = await openDeposit(scene)
      const signed = await port.signTypedData(honest)
      for (const change of changesOf(honest)) {
        // Starknet's typed data does not name the contract; then the signature equals the honest
        // one.
        const result = await port
          .signTypedData(asVerified({ ...honest, ...change }))
          .catch(() => null)
        if (result !== null && "htlc" in change && port.family === "starknet") {
          expect(result).toEqual(signed)
          continue
        }
        const error = await failureOf(() =>
          port.signTypedData(asVerified({ ...honest, ...change })),
        )
        expect([Object.keys(change), error.disposition]).toEqual([Object.keys(change), "refused"])
        expect(error.code).toMatch(/^signer\./)
      }
    },
  ),
  "refuses a gasless deposit where the family has none": async (scene) => {
    if (whyNot("gasless", scene.variant) === null) return
    const { deposit: honest } = await openDeposit(scene)
    const error = await failureOf(() => scene.wallet.port.signTypedData(honest))
    expect([error.code, error.disposition]).toEqual(["signer.gasless_unsupported", "refused"])
  },
})

/**
 * Parts that may differ: the gas limit is ours, and our own Solana transaction has a fresh
 * blockhash and our signature.
 */
const MAY_DIFFER = /gasLimit|^transaction~/

function changesOf(honest: DecodedDeposit): Partial<DecodedDeposit>[] {
  return [
    { units: honest.units + 1n },
    { timelock: honest.timelock - 1n },
    { secretHash: "0c".repeat(32) },
    { redeemer: honest.htlc },
    { htlc: honest.redeemer },
    { extras: { ...honest.extras, typedData: null } },
  ]
}

const HOSTILE = [
  "",
  "0x",
  "0",
  "zz",
  "-1",
  "0xzz",
  "\u0000",
  "1e9",
  `0x${"f".repeat(200)}`,
  "x".repeat(3_000),
]
const HOSTILE_NUMBERS = [0n, -1n, 2n ** 64n, 2n ** 256n]

type Corruption = { readonly path: string; readonly hostile: DepositRequest }

/**
 * The request with one leaf replaced, dropped, or (a long text) changed in one place, for every
 * leaf.
 */
function corruptionsOf(request: DepositRequest): Corruption[] {
  return leavesOf(request, [])
    .filter(({ path }) => path[0] !== "family")
    .flatMap(({ path, value }) =>
      (path[0] === "approval" ? [FOREIGN_APPROVAL] : replacementsOf(value)).map(
        ({ kind, next }) => ({
          path: `${path.join(".")}${kind}`,
          // CAST: hostile on purpose. Only `typedData` has no fixed type, and decoders parse that
          // themselves.
          hostile: replaceAt(request, path, next) as DepositRequest,
        }),
      ),
    )
}

function replacementsOf(value: unknown): { kind: string; next: unknown }[] {
  if (typeof value === "bigint")
    return [...HOSTILE_NUMBERS, value + 1n]
      .filter((next) => next !== value)
      .map((next) => ({ kind: "=number", next }))
  // Only typed data, which stays in wire form, has leaves of other kinds.
  if (typeof value !== "string")
    return [null, -1, 2 ** 60, "7"]
      .filter((next) => next !== value)
      .map((next) => ({ kind: "=other", next }))
  const places = Array.from({ length: 12 }, (_, index) => Math.floor((value.length * index) / 12))
  const isOther = (next: string): boolean =>
    numberIn(next) === null || numberIn(next) !== numberIn(value)
  const flips = places.filter((at) => at > 1).map((at) => flipAt(value, at))
  return [
    ...HOSTILE.filter(isOther).map((next) => ({ kind: "=text", next })),
    ...[value.slice(0, -1), value.slice(0, -2), `${value}00`, `${value}${value}`]
      .filter(isOther)
      .map((next) => ({ kind: "=length", next })),
    ...flips.map((next) => ({ kind: "~flip", next })),
  ]
}

/** Zero is zero in every spelling: `0x0`, `0x00`, `0`. */
function numberIn(text: string): bigint | null {
  return /^(0x[0-9a-fA-F]+|\d+)$/.test(text) ? BigInt(text) : null
}

function flipAt(text: string, at: number): string {
  const changed = text[at] === "1" ? "2" : "1"
  return `${text.slice(0, at)}${changed}${text.slice(at + 1)}`
}

function leavesOf(
  value: unknown,
  path: readonly string[],
): { path: readonly string[]; value: unknown }[] {
  if (typeof value !== "object" || value === null) return [{ path, value }]
  return Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...path, key]))
}

function replaceAt(value: unknown, [key, ...rest]: readonly string[], next: unknown): unknown {
  if (key === undefined) return next
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === key ? replaceAt(item, rest, next) : item))
  // CAST: `leavesOf` found this path in objects and lists only.
  const fields = value as Record<string, unknown>
  return { ...fields, [key]: replaceAt(fields[key], rest, next) }
}

const FOREIGN_APPROVAL = {
  kind: "=foreign",
  next: {
    to: `0x${"9".repeat(40)}`,
    valueUnits: 0n,
    data: `0x095ea7b3${"0".repeat(24)}${"8".repeat(40)}${"f".repeat(64)}`,
    gasLimit: 100_000n,
    chainId: 84_532n,
  },
}

const CALL = { to: "0x", valueUnits: -1n, data: "zz", gasLimit: 2n ** 300n, chainId: -5n }
const GARBAGE: readonly DepositRequest[] = [
  { family: "bitcoin", to: "", units: -1n },
  { family: "bitcoin", to: "not an address", units: 2n ** 300n },
  { family: "evm", transaction: CALL, approval: CALL, typedData: [[[]], { domain: null }] },
  {
    family: "evm",
    transaction: { ...CALL, data: `0x97ffc7ae${"f".repeat(256)}` },
    approval: null,
    typedData: "text",
  },
  { family: "solana", transaction: "" },
  { family: "solana", transaction: "!!!! not base64 !!!!" },
  { family: "solana", transaction: Buffer.alloc(400, 1).toString("base64") },
  {
    family: "starknet",
    transaction: { to: "", selector: "", calldata: [] },
    typedData: { message: 7 },
  },
  {
    family: "starknet",
    transaction: {
      to: "0x1",
      selector: "0xzz",
      calldata: Array.from({ length: 500 }, () => "0x1"),
    },
    typedData: null,
  },
]
