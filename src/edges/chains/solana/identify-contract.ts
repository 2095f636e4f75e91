import { createHash } from "node:crypto"
import { base58 } from "@scure/base"
import { z } from "zod"
import type {
  ContractFinding,
  ContractInspection,
  ContractReader,
  ListedHtlc,
} from "#chains/contract-reader.ts"
import { ABSENT, type ContractIdentity } from "#domain/contract-identity.ts"
import type { AskNode } from "#nodes/ask-node.ts"
import type { Commitment } from "./node.ts"
import { type Endpoints, readAgreed } from "./nodes/endpoints.ts"

/** The mint of wrapped SOL and the system program stand for SOL itself. */
const NATIVE_TOKENS = [
  "So11111111111111111111111111111111111111112",
  "11111111111111111111111111111111",
]

/**
 * Reads HTLC programs. `program` is the SHA-256 of the program's bytes without the zeros at their
 * end, the hash of verified builds. `authority` is the key that may replace the program, or `none`
 * for a program that is final.
 */
export const solanaContractReader: ContractReader = {
  readIdentity: async (ask, htlc) => identityOf(await readProgram(ask, htlc)),
  nativeTokens: NATIVE_TOKENS,
  inspect: inspectSolanaProgram,
}

/** The identity of one program, as enough endpoints read it. */
export function fetchContractIdentity(
  endpoints: Endpoints,
  commitment: Commitment,
  address: string,
): Promise<ContractIdentity> {
  return readAgreed(endpoints, commitment, (_node, { reader }) =>
    solanaContractReader.readIdentity(
      // CAST: the reader passes positional parameters.
      (method, params) => reader.read(method, params as readonly unknown[], z.unknown()),
      address,
    ),
  )
}

const LOADERS = {
  upgradeable: "BPFLoaderUpgradeab1e11111111111111111111111",
  final: [
    "BPFLoader2111111111111111111111111111111111",
    "BPFLoader1111111111111111111111111111111111",
  ],
  v4: "LoaderV411111111111111111111111111111111111",
} as const
const TOKEN_PROGRAMS: Readonly<Record<string, string>> = {
  TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: "SPL Token",
  TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb: "Token-2022",
}

type Program = {
  readonly bytes: Buffer
  readonly authority: string | null
  readonly deploySlot: bigint | null
  readonly loader: string
}

const accountSchema = z.object({
  value: z
    .object({
      owner: z.string(),
      executable: z.boolean(),
      data: z
        .tuple([z.string(), z.literal("base64")])
        .transform(([text]) => Buffer.from(text, "base64")),
    })
    .nullable(),
})

/** `null` when the address has no program. */
async function readProgram(ask: AskNode, address: string): Promise<Program | null> {
  const account = await readAccount(ask, address)
  if (account === null || !account.executable) return null
  const { owner: loader, data } = account
  if (LOADERS.final.some((name) => name === loader))
    return { bytes: data, authority: null, deploySlot: null, loader: "final" }
  if (loader === LOADERS.v4) return readLoaderV4(data)
  if (loader !== LOADERS.upgradeable || data.length < 36 || data.readUInt32LE(0) !== 2) return null
  const programData = await readAccount(ask, base58.encode(data.subarray(4, 36)))
  return programData === null ? null : readProgramData(programData.data)
}

/**
 * Loader 3: a tag of 4 bytes, the slot of the last deployment, and an optional authority. The
 * program starts at byte 45.
 */
function readProgramData(data: Buffer): Program | null {
  if (data.length < 45 || data.readUInt32LE(0) !== 3) return null
  const authority = data[12] === 1 ? base58.encode(data.subarray(13, 45)) : null
  return {
    bytes: data.subarray(45),
    authority,
    deploySlot: data.readBigUInt64LE(4),
    loader: "upgradeable",
  }
}

/** Loader 4: slot, authority, status. Status 2 is final. */
function readLoaderV4(data: Buffer): Program | null {
  if (data.length < 48) return null
  const authority = data.readBigUInt64LE(40) === 2n ? null : base58.encode(data.subarray(8, 40))
  return {
    bytes: data.subarray(48),
    authority,
    deploySlot: data.readBigUInt64LE(0),
    loader: "version 4",
  }
}

function identityOf(program: Program | null): ContractIdentity {
  if (program === null) return { program: ABSENT, authority: ABSENT }
  return { program: hashProgram(program.bytes), authority: program.authority ?? ABSENT }
}

function hashProgram(bytes: Buffer): string {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end--
  return createHash("sha256").update(bytes.subarray(0, end)).digest("hex")
}

async function readAccount(ask: AskNode, address: string) {
  const params = [address, { commitment: "confirmed", encoding: "base64" }]
  return accountSchema.parse(await ask("getAccountInfo", params)).value
}

async function inspectSolanaProgram(ask: AskNode, listed: ListedHtlc): Promise<ContractInspection> {
  const program = await readProgram(ask, listed.htlc)
  const identity = identityOf(program)
  if (program === null) {
    const problem = `${listed.htlc} is no program on this chain`
    const message = `${problem}; a deposit to it would fail or be lost`
    return {
      identity,
      details: {},
      findings: [{ severity: "unusable", code: "discover.not_a_contract", message }],
    }
  }
  const mint = await inspectMint(ask, listed)
  const { authority, deploySlot, loader } = program
  const details = {
    loader,
    ...(deploySlot === null ? {} : { deployed: `slot ${deploySlot}` }),
    ...mint.details,
  }
  return {
    identity,
    details,
    findings: [...judgeAuthority(listed.htlc, authority), ...mint.findings],
  }
}

function judgeAuthority(htlc: string, authority: string | null): ContractFinding[] {
  if (authority === null) return []
  const message = `${authority} may replace the program ${htlc} at any time`
  return [{ severity: "review", code: "discover.upgradeable", message }]
}

type MintReport = Pick<ContractInspection, "details" | "findings">

/**
 * The mint's layout: authority 36, supply u64, decimals u8. Token-2022 keeps it and adds extensions
 * behind.
 */
async function inspectMint(
  ask: AskNode,
  { token, decimals: listed }: ListedHtlc,
): Promise<MintReport> {
  if (token === null) return { details: {}, findings: [] }
  const account = await readAccount(ask, token)
  const program = account === null ? undefined : TOKEN_PROGRAMS[account.owner]
  if (account === null || program === undefined || account.data.length < 82) {
    const message = `${token} is no mint of a known token program`
    return {
      details: {},
      findings: [{ severity: "unusable", code: "discover.wrong_token", message }],
    }
  }
  const decimals = account.data[44]
  const findings: ContractFinding[] = []
  if (decimals !== listed) {
    const message = `The mint ${token} has ${decimals} decimals, and the service lists ${listed}`
    findings.push({ severity: "unusable", code: "discover.decimals_differ", message })
  }
  if (account.data.length > 82) {
    const message =
      `The mint ${token} has extensions of Token-2022: a fee or a hook on transfers makes it ` +
      "unusable"
    findings.push({ severity: "review", code: "discover.token_extensions", message })
  }
  return { details: { "token program": program }, findings }
}
