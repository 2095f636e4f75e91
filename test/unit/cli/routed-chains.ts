import { Keypair, PublicKey } from "@solana/web3.js"
import { decodeFunctionData, encodeFunctionResult, type Hex, parseAbi } from "viem"
import { messengerAbi, minterAbi, transmitterAbi, usdcAbi } from "#chains/evm/cctp/abi.ts"
import { TOKEN_PROGRAM } from "#chains/solana/tokens.ts"
import { parseConfig } from "#config/load.ts"
import { mustExist } from "#lib/assert.ts"
import { Secret } from "#lib/secret.ts"
import type { AskHttp } from "#nodes/ask-node.ts"
import { wordOfText } from "#routes/cctp/burn-domain.ts"
import {
  findAddress,
  localTokenState,
  MESSENGER,
  messengerState,
  minterState,
  remoteState,
  TRANSMITTER,
  tokenPairState,
  transmitterState,
} from "#sandbox/solana/cctp-program.ts"

/* Fake nodes of an EVM chain and Solana whose contracts of CCTP are linked with each other. */

export const EVM = {
  token: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
  messenger: "0x8FE6B999Dc680CcFDD5Bf7EB0974218be2542DAA",
  transmitter: "0xE737e5cEBEEBa77EFE34D4aa090756590b1CE275",
} as const
const MINTER: Hex = `0x${"44".repeat(20)}`
export const MINT = new PublicKey("4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU")
export const OTHER: Hex = `0x${"99".repeat(20)}`
const OWNER = Keypair.fromSeed(Buffer.alloc(32, 3)).publicKey
const wordOf = (address: PublicKey): Hex => `0x${Buffer.from(address.toBytes()).toString("hex")}`

/** `pinned`: of the route. */
export function configWith(pinned = "") {
  const text = `service: { url: "http://127.0.0.1:1" }
chains:
  base_sepolia: { preset: base_sepolia, rpc: ["http://evm"], key: "env:A" }
  devnet: { preset: solana_testnet, rpc: ["http://solana"], key: "env:A" }
assets:
  base_sepolia:usdc: { decimals: 6, token: "${EVM.token}" }
  devnet:usdc: { decimals: 6, token: "${MINT}" }
routes:
  cctp: { assets: [base_sepolia:usdc, devnet:usdc], max_in_flight: "1000 usd"${pinned} }
`
  return parseConfig(text, { file: "b.yaml", secrets: (name) => new Secret("x", name) })
}

const abi = [
  ...messengerAbi,
  ...transmitterAbi,
  ...minterAbi,
  ...usdcAbi,
  ...parseAbi(["function decimals() view returns (uint8)"]),
]

/** The answers of the EVM contracts, by function. */
export type Answers = Readonly<Record<string, unknown>>

const LINKED: Answers = {
  localMinter: MINTER,
  localMessageTransmitter: EVM.transmitter,
  remoteTokenMessengers: wordOf(MESSENGER),
  getMinFeeAmount: 0n,
  isDenylisted: false,
  localDomain: 6,
  paused: false,
  burnLimitsPerMessage: 10n ** 13n,
  getLocalToken: EVM.token,
  minterAllowance: 10n ** 15n,
  isBlacklisted: false,
  decimals: 6,
}

/** Accounts of Solana by address; `null`: none. */
export type Accounts = ReadonlyMap<string, Account | null>
type Account = { readonly owner: string; readonly data: Buffer; readonly executable?: boolean }

const stateAt = (program: PublicKey, seeds: Parameters<typeof findAddress>[1], data: Buffer) =>
  [findAddress(program, seeds).toBase58(), { owner: program.toBase58(), data }] as const

const PROGRAM_DATA = Keypair.fromSeed(Buffer.alloc(32, 4)).publicKey
export const ATTESTERS = [`${"ab".repeat(20)}`]

export const transmitterOf = (domain: number, isPaused = false) =>
  stateAt(
    TRANSMITTER,
    ["message_transmitter"],
    transmitterState({ owner: OWNER, domain, attesters: ATTESTERS, isPaused }),
  )
export const remoteOf = (messenger: string) =>
  stateAt(MESSENGER, ["remote_token_messenger", "6"], remoteState(6, messenger))
export const limitOf = (units: bigint) =>
  stateAt(MESSENGER, ["local_token", MINT.toBytes()], localTokenState(MINT, units))
export const pairOf = (mint: PublicKey) =>
  stateAt(
    MESSENGER,
    ["token_pair", "6", Buffer.from(wordOfText(EVM.token).slice(2), "hex")],
    tokenPairState(6, EVM.token, mint),
  )
export const mintOf = (decimals: number) => {
  const data = Buffer.alloc(82)
  data[44] = decimals
  data[45] = 1
  return [MINT.toBase58(), { owner: TOKEN_PROGRAM.toBase58(), data }] as const
}
export const stockOf = (units: bigint) => {
  const data = Buffer.alloc(165)
  MINT.toBuffer().copy(data)
  data.writeBigUInt64LE(units, 64)
  data[108] = 1
  const custody = findAddress(MESSENGER, ["custody", MINT.toBytes()]).toBase58()
  return [custody, { owner: TOKEN_PROGRAM.toBase58(), data }] as const
}
/** The code of both programs. */
export const codeOf = (code: string) => {
  const head = Buffer.alloc(45)
  head.writeUInt32LE(3)
  head[12] = 1
  return [
    PROGRAM_DATA.toBase58(),
    { owner: LOADER, data: Buffer.concat([head, Buffer.from(code)]) },
  ] as const
}
const LOADER = "BPFLoaderUpgradeab1e11111111111111111111111"

function programAt(program: PublicKey) {
  const data = Buffer.concat([Buffer.of(2, 0, 0, 0), PROGRAM_DATA.toBuffer()])
  return [program.toBase58(), { owner: LOADER, data, executable: true }] as const
}

const OPEN: Accounts = new Map<string, Account | null>([
  programAt(MESSENGER),
  programAt(TRANSMITTER),
  codeOf("program"),
  transmitterOf(5),
  stateAt(MESSENGER, ["token_messenger"], messengerState(OWNER)),
  stateAt(MESSENGER, ["token_minter"], minterState(OWNER)),
  remoteOf(EVM.messenger),
  limitOf(10n ** 13n),
  pairOf(MINT),
  mintOf(6),
  stockOf(10n ** 15n),
])

type Changes = {
  readonly answers?: Answers
  readonly code?: Readonly<Record<string, string>>
  readonly accounts?: readonly (readonly [string, Account | null])[]
  readonly silent?: string
}

/** Both nodes, with some answers changed. A function without an answer reverts. */
export function nodesWith(changes: Changes = {}): AskHttp {
  const answers = { ...LINKED, ...changes.answers }
  const accounts = new Map([...OPEN, ...(changes.accounts ?? [])])
  return async (url, body) => {
    if (url === changes.silent) throw new Error("connect ECONNREFUSED")
    // CAST: every family asks its node by a POST with a JSON-RPC body.
    const { id, method, params } = body as { id: number; method: string; params: unknown[] }
    const answer = (result: unknown) => JSON.stringify({ jsonrpc: "2.0", id, result })
    if (url === "http://solana") {
      const account = accounts.get(String(params[0])) ?? null
      const data = account && [account.data.toString("base64"), "base64"]
      const value = account && { executable: false, lamports: 1, ...account, data }
      return answer({ context: { slot: 9 }, value })
    }
    if (method === "eth_blockNumber") return answer("0x10")
    if (method === "eth_getCode") return answer(changes.code?.[String(params[0])] ?? "0x6001")
    if (method === "eth_getStorageAt") return answer(`0x${"0".repeat(64)}`)
    // CAST: the parameters of eth_call.
    const [{ data }] = params as [{ data: Hex }]
    const { functionName } = decodeFunctionData({ abi, data })
    const value = answers[functionName]
    if (value === undefined) {
      const error = { code: 3, message: "execution reverted" }
      return JSON.stringify({ jsonrpc: "2.0", id, error })
    }
    // CAST: the name and value are of one row of the table above.
    const result = encodeFunctionResult({ abi, functionName, result: value } as never)
    return answer(mustExist(result, functionName))
  }
}
