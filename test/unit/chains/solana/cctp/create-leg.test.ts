import { concat, keccak256 } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { beforeEach, describe, expect, test } from "vitest"
import { deriveUsedNonce } from "#chains/solana/cctp/accounts.ts"
import { openBurnLeg } from "#chains/solana/cctp/create-leg.ts"
import { readBurnPermissions } from "#chains/solana/cctp/read-rules.ts"
import { decideFinality } from "#chains/solana/finality.ts"
import { TOKEN_PROGRAM } from "#chains/solana/tokens.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import { mustExist } from "#lib/assert.ts"
import type { RouteRules } from "#ports/key-holder.ts"
import { encodeBurnWords } from "#routes/cctp/kept-burn.ts"
import { encodeBurnMessage, ZERO_WORD } from "#routes/cctp/message.ts"
import {
  findAddress,
  localTokenState,
  messengerState,
  minterState,
  remoteState,
  tokenPairState,
  transmitterState,
} from "#sandbox/solana/cctp-program.ts"
import { endpointsOf, type PartialNode } from "../../../../support/solana-endpoints.ts"
import {
  ACCOUNTS,
  ASSET,
  BURN,
  CHAIN,
  EVM_ACCOUNT,
  EVM_MESSENGER,
  KEY,
  MESSAGE,
  RULES,
  STRANGER,
  TABLE,
  TOKEN_ACCOUNT,
  tableOf,
  WALLET,
} from "./sample-burn.ts"

const { messenger, transmitter, mint } = ACCOUNTS
const SIGNER = privateKeyToAccount(`0x${"1".padStart(64, "0")}`)
const TABLES = "AddressLookupTab1e1111111111111111111111111"
const programs = { messenger: messenger.toBase58(), transmitter: transmitter.toBase58() }
const SLOT = 1_000n
const NOW = ["confirmed"]

type Account = { readonly owner: string; readonly data: Buffer<ArrayBuffer> }
let accounts: Map<string, Account>
/** The commitments of the reads. */
let asked: Set<string>

const put = (address: { toBase58(): string }, owner: { toBase58(): string }, data: Uint8Array) =>
  accounts.set(address.toBase58(), { owner: owner.toBase58(), data: Buffer.from(data) })

function tokens(units: bigint): Buffer {
  const data = Buffer.alloc(165)
  mint.toBuffer().copy(data, 0)
  KEY.publicKey.toBuffer().copy(data, 32)
  data.writeBigUInt64LE(units, 64)
  data[108] = 1
  return data
}

beforeEach(() => {
  accounts = new Map()
  asked = new Set()
  const attesters = [SIGNER.address.slice(2).toLowerCase()]
  const burnToken = Buffer.from(MESSAGE.burnToken.slice(2), "hex")
  const pair = tokenPairState(6, MESSAGE.burnToken, mint)
  put(
    ACCOUNTS.transmitterState,
    transmitter,
    transmitterState({ owner: STRANGER, domain: 5, attesters }),
  )
  put(ACCOUNTS.messengerState, messenger, messengerState(STRANGER))
  put(ACCOUNTS.minter, messenger, minterState(STRANGER))
  put(ACCOUNTS.localToken, messenger, localTokenState(mint, BURN.amountUnits))
  const remote = findAddress(messenger, ["remote_token_messenger", "6"])
  put(remote, messenger, remoteState(6, EVM_MESSENGER))
  put(findAddress(messenger, ["token_pair", "6", burnToken]), messenger, pair)
  put(ACCOUNTS.custody, TOKEN_PROGRAM, tokens(MESSAGE.amountUnits))
  put(TOKEN_ACCOUNT, TOKEN_PROGRAM, tokens(0n))
  const ofMint = Buffer.alloc(82)
  ofMint[44] = 6
  ofMint[45] = 1
  put(mint, TOKEN_PROGRAM, ofMint)
  const head = Buffer.alloc(56)
  head.writeUInt32LE(1)
  head.writeBigUInt64LE(2n ** 64n - 1n, 4)
  const held = tableOf(TABLE).state.addresses.map((one) => one.toBuffer())
  put(TABLE, { toBase58: () => TABLES }, Buffer.concat([head, ...held]))
})

function legOf(rules: RouteRules = RULES) {
  const node = ({ commitment }: { commitment: string }): PartialNode => ({
    fetchSlot: async () => {
      asked.add(commitment)
      return SLOT
    },
    fetchBlockMs: async () => 0,
    fetchAccount: async (address) => {
      const found = accounts.get(address)
      return found === undefined ? null : { ...found, lamports: 1n }
    },
    fetchRent: async (bytes) => BigInt(bytes + 128) * 6_960n,
  })
  const parts = {
    wallet: WALLET,
    endpoints: endpointsOf([node, node]),
    finality: decideFinality({ commitment: "confirmed", confirmations: null, finality: null }),
    commitment: "confirmed" as const,
    // CAST: nothing is planned here.
    planning: {} as never,
  }
  return mustExist(openBurnLeg(parts, rules, { chain: CHAIN, preset: "solana" }), "the leg")
}

/** A burn from here to Base, and one of Base to here. */
function burnOf(call: Parameters<typeof encodeBurnWords>[0], from: { readonly source: number }) {
  const isHere = from.source === 5
  const extras = {
    data: encodeBurnWords(call),
    source: from.source,
    sourceMessenger: isHere ? ZERO_WORD : EVM_MESSENGER,
    depositor: EVM_ACCOUNT,
  }
  // CAST: the leg reads these parts of a deposit alone.
  return { kind: "cctp", extras } as unknown as VerifiedDeposit
}

const LEAVING = burnOf({ ...BURN, burnToken: ZERO_WORD }, { source: 5 })
const { amountUnits, mintRecipient, burnToken, maxFeeUnits } = MESSAGE
const COMING_CALL = {
  amountUnits,
  destinationDomain: 5,
  mintRecipient,
  burnToken,
  destinationCaller: ZERO_WORD,
  maxFeeUnits,
  minFinalityThreshold: 1_000,
}
const COMING = burnOf(COMING_CALL, { source: 6 })
const PAYOUT = { asset: ASSET, deposit: COMING, owner: WALLET.account }

async function voucherOf(change: Partial<typeof MESSAGE> = {}) {
  const message = encodeBurnMessage({ ...MESSAGE, ...change })
  const attestation = concat([await SIGNER.sign({ hash: keccak256(message) })])
  return { kind: "cctp", nonce: MESSAGE.nonce, fields: { message, attestation } }
}

const codesOf = (reasons: readonly { readonly code: string }[]): string =>
  reasons.map(({ code }) => code).join()

/** Its programs cannot be read here, so that a comparison with their pins throws. */
const PINNED = {
  ...RULES,
  pinned: new Map([[CHAIN, [{ htlc: messenger.toBase58(), identity: { program: "00" } }]]]),
}

test("the table of a mint is the configured one, else that of Circle's client", () => {
  const { lookupTables: _, ...bare } = RULES
  const tableFor = (preset: string, rules: RouteRules) =>
    readBurnPermissions(rules, { chain: CHAIN, preset })?.lookupTable
  expect(tableFor("solana", RULES)).toBe(TABLE.toBase58())
  expect(tableFor("solana", bare)).toBe("qj4EYgsGpnRdt9rvQW3wWZR8JVaKPg9rG9EB8DNgfz8")
  expect(tableFor("solana_testnet", bare)).toBe("29VCJ73d5aR5dE6oxaUkipntw1tFzDDKNLqrXE2ujWHW")
  const own = { domain: "5", token: mint.toBase58(), ...programs }
  expect(tableFor("", { ...bare, contracts: new Map([[CHAIN, own]]) })).toBeNull()
})

describe("a burn that leaves Solana", () => {
  test("is good while every program and account is as it must be", async () => {
    expect(await legOf().checkDeposit(LEAVING)).toEqual([])
    expect([...asked]).toEqual(NOW)
  })

  test("is refused while our own account is on the list of blocked ones", async () => {
    const entry = findAddress(messenger, ["denylist_account", KEY.publicKey.toBytes()])
    put(entry, messenger, Buffer.alloc(9, 1))
    expect(codesOf(await legOf().checkDeposit(LEAVING))).toBe("cctp.blocked")
  })

  test("is refused to a chain whose messenger the route does not name", async () => {
    const rules = { ...RULES, peers: new Map() }
    expect(codesOf(await legOf(rules).checkDeposit(LEAVING))).toBe("cctp.pin_differs")
  })

  test("compares the reviewed programs", async () => {
    await expect(legOf(PINNED).checkDeposit(LEAVING)).rejects.toThrow()
  })

  test("costs the rent of its message's account and two signatures at most", async () => {
    const price = (250_000n * WALLET.maxPriorityFeeMicroLamports) / 1_000_000n
    expect(await legOf().estimateDepositFee?.()).toBe(556n * 6_960n + 2n * 5_000n + price)
  })
})

describe("a mint on Solana", () => {
  test("is possible before and after its burn while all is as it must be", async () => {
    expect(await legOf().checkPayout(PAYOUT, null)).toEqual([])
    expect(await legOf().checkPayout(PAYOUT, await voucherOf())).toEqual([])
    expect([...asked]).toEqual(NOW)
  })

  test("compares the reviewed programs before its burn, and never after it", async () => {
    await expect(legOf(PINNED).checkPayout(PAYOUT, null)).rejects.toThrow()
    expect(await legOf(PINNED).checkPayout(PAYOUT, await voucherOf())).toEqual([])
  })

  test.each([
    ["a stranger's account", { mintRecipient: EVM_ACCOUNT }, WALLET.account],
    ["an owner that is no address", {}, "0x12"],
  ])("is refused to %s", async (_what, change, owner) => {
    const deposit = burnOf({ ...COMING_CALL, ...change }, { source: 6 })
    const reasons = await legOf().checkPayout({ asset: ASSET, deposit, owner }, null)
    expect(codesOf(reasons)).toBe("cctp.burn_differs")
  })

  test.each([
    ["without our token account", TOKEN_ACCOUNT, "solana.token_account_missing"],
    ["without the table of addresses", TABLE, "solana.lookup_table_missing"],
    ["without coins of the minter", ACCOUNTS.custody, "cctp.minter_allowance"],
  ])("waits %s", async (_what, address, code) => {
    accounts.delete(address.toBase58())
    expect(codesOf(await legOf().checkPayout(PAYOUT, null))).toBe(code)
    expect(codesOf(await legOf().checkPayout(PAYOUT, await voucherOf()))).toBe(code)
  })

  test("is refused for a message of another burn, one that is minted, and one that expired", async () => {
    const judge = async (change: Partial<typeof MESSAGE> = {}) =>
      codesOf(await legOf().checkPayout(PAYOUT, await voucherOf(change)))
    expect(await judge({ amountUnits: 1n })).toBe("cctp.bytes_differ")
    expect(await judge({ expirationBlock: SLOT })).toBe("cctp.expired")
    expect(await judge({ expirationBlock: SLOT + 1n })).toBe("")
    put(deriveUsedNonce(ACCOUNTS, MESSAGE.nonce), STRANGER, Buffer.alloc(0))
    expect(await judge()).toBe("")
    put(deriveUsedNonce(ACCOUNTS, MESSAGE.nonce), transmitter, Buffer.alloc(9))
    expect(await judge()).toBe("cctp.nonce_used")
  })

  test("costs the rent of its nonce's mark and one signature at most", async () => {
    const price = (350_000n * WALLET.maxPriorityFeeMicroLamports) / 1_000_000n
    expect(await legOf().estimateRedeemFee(ASSET)).toBe(137n * 6_960n + 5_000n + price)
  })
})
