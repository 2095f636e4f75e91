import type { Address } from "viem"
import type { AssetId } from "#domain/asset.ts"
import type { DecodedDeposit, DepositRequest, Finding } from "#domain/deposit.ts"
import { readBurnRequest } from "#routes/cctp/burn-request.ts"
import { ZERO_WORD } from "#routes/cctp/message.ts"
import { CCTP } from "#routes/cctp/quote-burns.ts"
import type { BurnPermissions } from "./burn-permissions.ts"
import { type BurnCall, checkBurn, decodeBurn, encodeBurn } from "./calls.ts"
import { wordOf } from "./presets.ts"

type Wallet = {
  readonly chain: DecodedDeposit["chain"]
  readonly account: Address
  readonly burns: BurnPermissions
}

/**
 * Builds the call of an order's burn, and decodes those bytes again: the deposit is what the bytes
 * do. Pure. Hostile input never throws: each doubt becomes a finding.
 */
export function decodeBurnDeposit(
  { chain, account, burns }: Wallet,
  request: DepositRequest,
  asset: AssetId,
): DecodedDeposit {
  const base = {
    kind: CCTP,
    chain,
    family: "evm",
    htlc: burns.contracts.messenger,
    htlcKind: "contract",
    isRefundableByUs: false,
    hasTypedData: false,
    refundTo: "",
    timelock: 0n,
  } as const
  const burn = readBurnRequest(request)
  if (burn === null || asset !== burns.asset)
    return {
      ...base,
      asset: null,
      units: 0n,
      redeemer: "",
      secretHash: "",
      extras: {},
      findings: [finding("The request is no burn of this asset", burns.asset, asset)],
    }
  const { amountUnits, maxFeeUnits, finality, dealKey, payee, txid } = burn
  const terms = { ...burn, burnToken: burns.contracts.token }
  const data = encodeBurn({
    ...terms,
    destinationCaller: ZERO_WORD,
    minFinalityThreshold: finality === "fast" ? 1_000 : 2_000,
  })
  const call = decodeBurn(data)
  const differences = call === null ? [] : checkBurn(call, terms)
  return {
    ...base,
    asset,
    units: amountUnits,
    redeemer: payee,
    secretHash: dealKey,
    floorUnits: amountUnits - maxFeeUnits,
    mostUnits: amountUnits,
    extras: {
      data,
      source: burns.contracts.domain,
      sourceMessenger: wordOf(burns.contracts.messenger),
      depositor: wordOf(account),
      ...(txid === undefined ? {} : { txid }),
    },
    findings: [
      ...(call === null ? [finding("The call is no burn", "depositForBurn", data)] : []),
      ...differences.map(({ message, expected = "", found = "" }) =>
        finding(message, expected, found),
      ),
      ...(isOwnRecipient(burns, burn) ? [] : [notOwn(burn.mintRecipient)]),
    ],
  }
}

function isOwnRecipient(
  { recipients }: BurnPermissions,
  { destinationDomain, mintRecipient }: Pick<BurnCall, "destinationDomain" | "mintRecipient">,
): boolean {
  return recipients.get(destinationDomain)?.includes(mintRecipient) === true
}

function notOwn(found: string): Finding {
  return finding("The burn pays an account that is not ours", "one of our own accounts", found)
}

function finding(message: string, expected: string, found: string): Finding {
  return { code: "cctp.burn_differs", message, expected, found: found.slice(0, 300) }
}
