import { Keypair, type PublicKey } from "@solana/web3.js"
import { describe, expect, test } from "vitest"
import { findBurnFaults, findMintFaults } from "#chains/solana/cctp/judge-state.ts"
import { wordOf } from "#chains/solana/cctp/presets.ts"
import { createNode } from "#chains/solana/node.ts"
import { TOKEN_PROGRAM } from "#chains/solana/tokens.ts"
import { wordOfText } from "#routes/cctp/burn-domain.ts"
import {
  findAddress,
  localTokenState,
  messengerState,
  minterState,
  remoteState,
  type Seeds,
  tokenPairState,
  transmitterState,
} from "#sandbox/solana/cctp-program.ts"
import { ACCOUNTS, BURN, EVM_MESSENGER, KEY, STRANGER } from "./sample-burn.ts"

const { messenger, transmitter, mint } = ACCOUNTS
const OWNER = Keypair.fromSeed(Buffer.alloc(32, 3)).publicKey
const BURN_TOKEN = wordOfText(`0x${"ef".repeat(20)}`)
const LIMIT: bigint = BURN.amountUnits
const STOCK: bigint = BURN.amountUnits

type Account = { readonly owner: string; readonly data: Buffer }
type Row = readonly [string, Account | null]

const at = (program: PublicKey, seeds: Seeds, data: Buffer, owner = program): Row => [
  findAddress(program, seeds).toBase58(),
  { owner: owner.toBase58(), data },
]
const transmitterRow = (domain = 5, isPaused = false, owner = transmitter): Row => {
  const state = { owner: OWNER, domain, attesters: ["ab".repeat(20)], isPaused }
  return at(transmitter, ["message_transmitter"], transmitterState(state), owner)
}
const messengerRow = (minFee = 0): Row =>
  at(messenger, ["token_messenger"], messengerState(OWNER, minFee))
const minterRow = (isPaused = false): Row =>
  at(messenger, ["token_minter"], minterState(OWNER, isPaused))
const remoteRow = (of: string = EVM_MESSENGER, owner = messenger): Row =>
  at(messenger, ["remote_token_messenger", "6"], remoteState(6, of), owner)
const limitRow = (units = LIMIT, of = mint): Row =>
  at(messenger, ["local_token", mint.toBytes()], localTokenState(of, units))
const pairRow = (of = mint): Row => {
  const seeds = ["token_pair", "6", Buffer.from(BURN_TOKEN.slice(2), "hex")]
  return at(messenger, seeds, tokenPairState(6, BURN_TOKEN, of))
}
const stockRow = (units = STOCK): Row => {
  const data = Buffer.alloc(165)
  data.writeBigUInt64LE(units, 64)
  data[108] = 1
  return at(messenger, ["custody", mint.toBytes()], data, TOKEN_PROGRAM)
}
const denied = (bytes: number): Row =>
  at(messenger, ["denylist_account", KEY.publicKey.toBytes()], Buffer.alloc(bytes, 1))
const gone = ([address]: Row): Row => [address, null]

const ALL: readonly Row[] = [
  transmitterRow(),
  messengerRow(),
  minterRow(),
  remoteRow(),
  limitRow(),
  pairRow(),
  stockRow(),
]

function nodeWith(changes: readonly Row[]) {
  const accounts = new Map([...ALL, ...changes])
  const read: Parameters<typeof createNode>[0]["read"] = async (_method, [address], form) => {
    const found = accounts.get(String(address)) ?? null
    const data = found && [found.data.toString("base64"), "base64"]
    return form.parse({ context: { slot: 1 }, value: found && { ...found, lamports: 1, data } })
  }
  return createNode({ read }, { commitment: "confirmed" })
}

const codes = (reasons: readonly { readonly code: string }[]): string =>
  reasons.map(({ code }) => code).join()

async function burnFaults(
  changes: readonly Row[],
  call: { readonly amountUnits?: bigint; readonly maxFeeUnits?: bigint } = {},
  destinationMessenger: typeof EVM_MESSENGER | null = EVM_MESSENGER,
): Promise<string> {
  const parties = { owner: KEY.publicKey, destinationMessenger }
  return codes(await findBurnFaults(nodeWith(changes), ACCOUNTS, { ...BURN, ...call }, parties))
}

async function mintFaults(changes: readonly Row[], amountUnits: bigint = BURN.amountUnits) {
  const burn = { source: 6, sourceMessenger: EVM_MESSENGER, burnToken: BURN_TOKEN, amountUnits }
  return codes(await findMintFaults(nodeWith(changes), ACCOUNTS, burn))
}

describe("before a burn on Solana", () => {
  test("nothing speaks against one of the whole limit", async () => {
    expect(await burnFaults([])).toBe("")
  })

  test.each([
    ["a unit above the limit", [limitRow(LIMIT - 1n)], "cctp.burn_limit"],
    ["a token of another mint", [limitRow(LIMIT, STRANGER)], "cctp.pin_differs"],
    ["no token", [gone(limitRow())], "cctp.pin_differs,cctp.burn_limit"],
    ["another domain", [transmitterRow(6)], "cctp.pin_differs"],
    ["a paused transmitter", [transmitterRow(5, true)], "cctp.paused"],
    ["a paused minter", [minterRow(true)], "cctp.paused"],
    ["no minter", [gone(minterRow())], "cctp.paused"],
    [
      "a transmitter's state of another program",
      [transmitterRow(5, false, STRANGER)],
      "cctp.pin_differs,cctp.paused",
    ],
    [
      "another messenger of the destination",
      [remoteRow(`0x${"99".repeat(20)}`)],
      "cctp.pin_differs",
    ],
    [
      "a messenger's entry of another program",
      [remoteRow(undefined, STRANGER)],
      "cctp.pin_differs",
    ],
    ["no entry of the destination", [gone(remoteRow())], "cctp.pin_differs"],
    ["our account on the list", [denied(1)], "cctp.blocked"],
  ] satisfies [string, Row[], string][])("%s is a reason", async (_what, changes, expected) => {
    expect(await burnFaults(changes)).toBe(expected)
  })

  test("an empty entry of the list blocks nothing", async () => {
    expect(await burnFaults([denied(0)])).toBe("")
  })

  test("a destination whose messenger is not configured is refused", async () => {
    expect(await burnFaults([], {}, null)).toBe("cctp.pin_differs")
  })

  test.each([
    // A tenth of a basis point of 100 USDC is 1 000 units.
    ["its least fee", 100, { maxFeeUnits: 1_000n }, ""],
    ["a unit below its least fee", 100, { maxFeeUnits: 999n }, "cctp.fee_below_min"],
    [
      "no fee where there is one",
      1,
      { amountUnits: 1_000n, maxFeeUnits: 0n },
      "cctp.fee_below_min",
    ],
    ["one unit for the smallest fee", 1, { amountUnits: 1_000n, maxFeeUnits: 1n }, ""],
    ["no fee where there is none", 0, { maxFeeUnits: 0n }, ""],
  ])("a burn that allows %s is judged to the unit", async (_what, minFee, call, expected) => {
    expect(await burnFaults([messengerRow(minFee)], call)).toBe(expected)
  })
})

describe("before a mint on Solana", () => {
  test("nothing speaks against one of the whole stock", async () => {
    expect(await mintFaults([])).toBe("")
  })

  test.each([
    ["a unit above the stock", [stockRow(STOCK - 1n)], "cctp.minter_allowance"],
    ["no stock", [gone(stockRow())], "cctp.minter_allowance"],
    ["a pair of another token", [pairRow(STRANGER)], "cctp.pin_differs"],
    ["no pair", [gone(pairRow())], "cctp.pin_differs"],
    ["another messenger of the source", [remoteRow(wordOf(STRANGER))], "cctp.pin_differs"],
    ["a paused minter", [minterRow(true)], "cctp.paused"],
    ["another domain", [transmitterRow(7)], "cctp.pin_differs"],
  ] satisfies [string, Row[], string][])("%s is a reason", async (_what, changes, expected) => {
    expect(await mintFaults(changes)).toBe(expected)
  })
})
