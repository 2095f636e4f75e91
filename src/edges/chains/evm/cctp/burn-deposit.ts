import type { Address } from "viem"
import type { AssetId } from "#domain/asset.ts"
import type { DecodedDeposit, DepositRequest, Finding } from "#domain/deposit.ts"
import { readBurnRequest } from "#routes/cctp/burn-request.ts"
import { burnFinding, describeBurn, describeNoBurn } from "#routes/cctp/decoded-burn.ts"
import { FINALITY, ZERO_WORD } from "#routes/cctp/message.ts"
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
  const place = { chain, family: "evm", htlc: burns.contracts.messenger } as const
  const burn = readBurnRequest(request)
  if (burn === null || asset !== burns.asset) return describeNoBurn(place, burns.asset, asset)
  const { finality, txid } = burn
  const terms = { ...burn, burnToken: burns.contracts.token }
  const data = encodeBurn({
    ...terms,
    destinationCaller: ZERO_WORD,
    minFinalityThreshold: FINALITY[finality],
  })
  const call = decodeBurn(data)
  const differences = call === null ? [] : checkBurn(call, terms)
  return {
    ...describeBurn(place, asset, burn),
    extras: {
      data,
      source: burns.contracts.domain,
      sourceMessenger: wordOf(burns.contracts.messenger),
      depositor: wordOf(account),
      ...(txid === undefined ? {} : { txid }),
    },
    findings: [
      ...(call === null ? [burnFinding("The call is no burn", "depositForBurn", data)] : []),
      ...differences.map(({ message, expected = "", found = "" }) =>
        burnFinding(message, expected, found),
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
  return burnFinding("The burn pays an account that is not ours", "one of our own accounts", found)
}
