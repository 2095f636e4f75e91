import { concat, keccak256 } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { beforeEach, describe, expect, test } from "vitest"
import { deriveUsedNonce } from "#chains/solana/cctp/accounts.ts"
import { openBurnLeg } from "#chains/solana/cctp/create-leg.ts"
import { decideFinality } from "#chains/solana/finality.ts"
import type { NodeView } from "#chains/solana/node.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { RouteVoucher } from "#domain/route/route-voucher.ts"
import { mustExist } from "#lib/assert.ts"
import { encodeBurnWords } from "#routes/cctp/kept-burn.ts"
import { type BurnMessage, encodeBurnMessage, ZERO_WORD } from "#routes/cctp/message.ts"
import { transmitterState } from "#sandbox/solana/cctp-program.ts"
import { endpointsOf, type PartialNode } from "../../../../support/solana-endpoints.ts"
import {
  ACCOUNTS,
  CHAIN,
  EVM_ACCOUNT,
  EVM_MESSENGER,
  KEY,
  MESSAGE,
  RULES,
  WALLET,
} from "./sample-burn.ts"

/** In the order of their addresses, as the program asks. */
const SIGNERS = [1, 2]
  .map((byte) => privateKeyToAccount(`0x${String(byte).padStart(64, "0")}`))
  .toSorted((a, b) => (BigInt(a.address) < BigInt(b.address) ? -1 : 1))
const ADDRESSES = SIGNERS.map(({ address }) => address.slice(2).toLowerCase())

const CONFIRMED = 120n
const FINALIZED = 90n
const THRESHOLD_AT = 145

let threshold: number
let attesters: readonly string[]
let isUsed: boolean

beforeEach(() => {
  threshold = ADDRESSES.length
  attesters = ADDRESSES
  isUsed = false
})

const nodeAt = ({ commitment }: NodeView): PartialNode => ({
  fetchSlot: async () => (commitment === "finalized" ? FINALIZED : CONFIRMED),
  fetchBlockMs: async () => 0,
  fetchAccount: async (address) => {
    const owner = ACCOUNTS.transmitter.toBase58()
    if (address === deriveUsedNonce(ACCOUNTS, MESSAGE.nonce).toBase58())
      return isUsed ? { lamports: 1n, owner, data: Buffer.alloc(9) } : null
    if (address !== ACCOUNTS.transmitterState.toBase58()) return null
    const data = Buffer.from(transmitterState({ owner: KEY.publicKey, domain: 5, attesters }))
    data.writeUInt32LE(threshold, THRESHOLD_AT)
    return { lamports: 1n, owner, data }
  },
})

const parts = {
  wallet: WALLET,
  endpoints: endpointsOf([nodeAt, nodeAt]),
  finality: decideFinality({ commitment: "confirmed", confirmations: null, finality: null }),
  commitment: "confirmed" as const,
}
const leg = mustExist(
  // CAST: nothing is planned here.
  openBurnLeg({ ...parts, planning: {} as never }, RULES, { chain: CHAIN, preset: "solana" }),
  "the leg",
)

const { amountUnits, mintRecipient, burnToken, maxFeeUnits } = MESSAGE
const call = {
  amountUnits,
  destinationDomain: 5,
  mintRecipient,
  burnToken,
  destinationCaller: ZERO_WORD,
  maxFeeUnits,
  minFinalityThreshold: 1_000,
}
const extras = {
  data: encodeBurnWords(call),
  source: 6,
  sourceMessenger: EVM_MESSENGER,
  depositor: EVM_ACCOUNT,
}
// CAST: a voucher is judged by these parts of its deposit alone.
const deposit = { kind: "cctp", extras } as unknown as VerifiedDeposit

async function voucherOf(change: Partial<BurnMessage> = {}): Promise<RouteVoucher> {
  const message = encodeBurnMessage({ ...MESSAGE, ...change })
  const hash = keccak256(message)
  const attestation = concat(await Promise.all(SIGNERS.map((signer) => signer.sign({ hash }))))
  return { kind: "cctp", nonce: MESSAGE.nonce, fields: { message, attestation } }
}

const codesOf = async (change: Partial<BurnMessage> = {}): Promise<string> =>
  (await leg.checkVoucher(deposit, await voucherOf(change))).map(({ code }) => code).join()

const isOver = async (change: Partial<BurnMessage>) =>
  leg.isOver?.(deposit, await voucherOf(change))

describe("a voucher for Solana", () => {
  test("of our burn with the signatures that the program asks for is good", async () => {
    expect(await codesOf()).toBe("")
  })

  test("with too few or too many signatures, or of another attester, is not", async () => {
    threshold = ADDRESSES.length + 1
    expect(await codesOf()).toBe("cctp.attestation")
    threshold = ADDRESSES.length - 1
    expect(await codesOf()).toBe("cctp.attestation")
    threshold = ADDRESSES.length
    attesters = ADDRESSES.map((address, at) => (at === 0 ? "ab".repeat(20) : address))
    expect(await codesOf()).toBe("cctp.attestation")
  })

  test("of another burn is not, however it is signed", async () => {
    expect(await codesOf({ amountUnits: 1n })).toBe("cctp.bytes_differ")
  })

  test.each([
    ["before its last slot", FINALIZED + 1n, false],
    ["at its last slot, as the program judges", FINALIZED, true],
    ["after it", FINALIZED - 1n, true],
    ["without one", 0n, false],
  ])("is over in final slots alone: %s", async (_what, expirationBlock, expected) => {
    expect(await isOver({ expirationBlock })).toBe(expected)
  })

  test("that was minted is not over, and neither is one of another burn", async () => {
    expect(await isOver({ expirationBlock: 1n, amountUnits: 1n })).toBe(false)
    isUsed = true
    expect(await isOver({ expirationBlock: 1n })).toBe(false)
  })
})
