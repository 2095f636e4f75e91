import type { Address, Hex } from "viem"
import type { Reason } from "#domain/reason.ts"
import type { RouteVoucher } from "#domain/route/route-voucher.ts"
import { checkAttestation, recoverAttesters } from "#routes/cctp/attestation.ts"
import { type KeptBurn, readMintBytes, readOwnMint } from "#routes/cctp/kept-burn.ts"
import { decodeRevert } from "../decode-revert.ts"
import { findRevert } from "../nodes/dialect.ts"
import type { At } from "../rpc.ts"
import { transmitterAbi } from "./abi.ts"
import { encodeMint } from "./calls.ts"
import { type CctpContracts, wordOf } from "./presets.ts"

/** What shows that the voucher is not our burn's: other bytes, or signatures of others. */
export async function judgeOwnVoucher(
  at: At,
  contracts: CctpContracts,
  burn: KeptBurn,
  voucher: RouteVoucher,
): Promise<readonly Reason[]> {
  const mint = readOwnMint(burn, wordOf(contracts.messenger), voucher)
  if (mint === null)
    return [{ code: "cctp.bytes_differ", message: "The attested message is not that of our burn" }]
  const { client, height: blockNumber } = at
  const of = { address: contracts.transmitter, abi: transmitterAbi, blockNumber } as const
  const signers = recoverAttesters(mint.bytes, mint.attestation) ?? []
  const [threshold, ...enabled] = await Promise.all([
    client.readContract({ ...of, functionName: "signatureThreshold" }),
    ...signers.map((signer) =>
      client.readContract({ ...of, functionName: "isEnabledAttester", args: [signer] }),
    ),
  ])
  return checkAttestation(mint.bytes, mint.attestation, {
    threshold: Number(threshold),
    isEnabled: (attester) => enabled[signers.indexOf(attester)] === true,
  })
}

/**
 * Every reason against a mint now, at one block: a voucher of another burn, a used nonce, or a
 * simulation that reverts. A refused mint loses nothing: the nonce stays free.
 */
export async function judgeVoucher(
  at: At,
  { contracts, account }: { readonly contracts: CctpContracts; readonly account: Address },
  burn: KeptBurn,
  voucher: RouteVoucher,
): Promise<readonly Reason[]> {
  const foreign = await judgeOwnVoucher(at, contracts, burn, voucher)
  const mint = readMintBytes(voucher)
  if (foreign.length > 0 || mint === null) return foreign
  const used = await at.client.readContract({
    address: contracts.transmitter,
    abi: transmitterAbi,
    blockNumber: at.height,
    functionName: "usedNonces",
    args: [mint.message.nonce],
  })
  if (used !== 0n)
    return [
      { code: "cctp.nonce_used", message: "The message is minted already", nonce: voucher.nonce },
    ]
  return simulate(at, contracts, account, mint)
}

async function simulate(
  { client, height: blockNumber }: At,
  { transmitter: to }: CctpContracts,
  account: Address,
  { bytes, attestation }: { readonly bytes: Hex; readonly attestation: Hex },
): Promise<readonly Reason[]> {
  try {
    await client.call({ account, to, data: encodeMint(bytes, attestation), blockNumber })
    return []
  } catch (error) {
    const revert = findRevert(error)
    if (revert === null) throw error
    const { data, found } = revert.details
    const text = typeof data === "string" && data !== "0x" ? decodeRevert(data) : String(found)
    return [describeRevert(text)]
  }
}

/** The texts of the contracts, by what an order can do about them. */
function describeRevert(text: string): Reason {
  const code = REVERTS.find(([pattern]) => pattern.test(text))?.[1] ?? "cctp.mint_reverts"
  return {
    code,
    message: "The mint would revert now, so it is not sent; the message stays good",
    revert: text.slice(0, 300),
  }
}

const REVERTS: readonly (readonly [RegExp, string])[] = [
  [/expired/i, "cctp.expired"],
  [/nonce already used/i, "cctp.nonce_used"],
  [/blacklist/i, "cctp.blocked"],
  [/paused/i, "cctp.paused"],
  [/minterAllowance/i, "cctp.minter_allowance"],
]
