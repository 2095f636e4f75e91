import { AbiDecodingZeroDataError, BaseError, createPublicClient, custom, defineChain } from "viem"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import { type AskNode, NodeRefusal } from "#nodes/ask-node.ts"
import { type BurnDomain, describeDecimals, SAMPLE_UNITS } from "#routes/cctp/burn-domain.ts"
import { isRevert, readDecimals } from "../identify-contract.ts"
import { isReverted } from "../nodes/dialect.ts"
import type { EvmClient } from "../nodes/endpoint.ts"
import { judgeDestination, judgeSource } from "./judge-burn-state.ts"
import type { CctpContracts } from "./presets.ts"
import { readDestinationState, readSourceState } from "./read-burn-state.ts"
import { findContracts } from "./read-rules.ts"

/**
 * The questions that come before each burn and each mint, for a burn to and from each of the other
 * chains. It has no account of ours, so the messenger stands in its place.
 */
export async function inspectContracts(
  ask: AskNode,
  place: { readonly chainId: number; readonly given: Parameters<typeof findContracts>[0] },
  others: readonly BurnDomain[],
): Promise<readonly Reason[]> {
  const contracts = findContracts(place.given, place.chainId)
  if (contracts === null) return []
  const client = clientOf(ask, place.chainId)
  try {
    const decimals = await readDecimals(ask, contracts.token)
    const at = { client, height: await client.getBlockNumber() }
    const faults = others.map((other) => findFaults(at, contracts, other))
    return [...describeDecimals(contracts.token, decimals), ...(await Promise.all(faults)).flat()]
  } catch (error) {
    if (isForeign(error)) return [FOREIGN]
    throw error
  }
}

async function findFaults(
  at: Parameters<typeof readSourceState>[0],
  contracts: CctpContracts,
  { domain, messenger, token }: BurnDomain,
): Promise<readonly Reason[]> {
  const account = contracts.messenger
  const [source, destination] = await Promise.all([
    readSourceState(at, contracts, { account, amountUnits: SAMPLE_UNITS, destination: domain }),
    readDestinationState(at, contracts, { recipient: account, source: domain, burnToken: token }),
  ])
  const sample = { amountUnits: SAMPLE_UNITS, maxFeeUnits: SAMPLE_UNITS }
  return [
    ...judgeSource(source, contracts, { ...sample, destinationMessenger: messenger }),
    ...judgeDestination(destination, contracts, { ...sample, sourceMessenger: messenger }),
  ]
}

/** The reads of a port, over calls that need no key. */
function clientOf(ask: AskNode, chainId: number): EvmClient {
  const chain = defineChain({
    id: chainId,
    name: `chain ${chainId}`,
    nativeCurrency: { name: "Native", symbol: "NATIVE", decimals: 18 },
    rpcUrls: { default: { http: [] } },
  })
  const request = async (asked: { method: string; params?: unknown }): Promise<unknown> => {
    try {
      return await ask(asked.method, asked.params ?? [])
    } catch (error) {
      if (error instanceof NodeRefusal && isRevert(error))
        throw new AppError({ code: "evm.rpc", disposition: "refused", message: error.message })
      throw error
    }
  }
  const transport = custom({ request }, { retryCount: 0 })
  return createPublicClient({ chain, transport, cacheTime: 0, ccipRead: false })
}

/** A contract that has none of CCTP's functions reverts, or answers nothing. */
function isForeign(error: unknown): boolean {
  const isEmpty = (each: unknown): boolean => each instanceof AbiDecodingZeroDataError
  return isReverted(error) || (error instanceof BaseError && error.walk(isEmpty) !== null)
}

const FOREIGN: Reason = {
  code: "cctp.pin_differs",
  message: "A contract at these addresses does not answer as those of CCTP do; nothing is burnt",
}
