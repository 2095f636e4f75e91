import type { Address, Hex } from "viem"
import { isReverted } from "../nodes/dialect.ts"
import type { At } from "../rpc.ts"
import { messengerAbi, minterAbi, transmitterAbi, usdcAbi } from "./abi.ts"
import type { CctpContracts } from "./presets.ts"

/** What the contracts of the source say about a burn, at one block. */
export type SourceState = {
  readonly localDomain: number
  readonly minter: Address
  readonly transmitter: Address
  readonly remoteMessenger: Hex
  readonly burnLimitUnits: bigint
  readonly minFeeUnits: bigint
  readonly isTransmitterPaused: boolean
  readonly isMinterPaused: boolean
  readonly isTokenPaused: boolean
  readonly isDenylisted: boolean
  readonly isBlacklisted: boolean
}

type Place = Pick<At, "client" | "height">

/** Reads everything before a burn is signed. The minter is the one that the messenger names. */
export async function readSourceState(
  at: Place,
  { token, messenger, transmitter }: CctpContracts,
  {
    account,
    amountUnits,
    destination,
  }: {
    readonly account: Address
    readonly amountUnits: bigint
    readonly destination: number
  },
): Promise<SourceState> {
  const { client, height: blockNumber } = at
  const ofMessenger = { address: messenger, abi: messengerAbi, blockNumber } as const
  const ofTransmitter = { address: transmitter, abi: transmitterAbi, blockNumber } as const
  const ofToken = { address: token, abi: usdcAbi, blockNumber } as const
  const minter = await client.readContract({ ...ofMessenger, functionName: "localMinter" })
  const ofMinter = { address: minter, abi: minterAbi, blockNumber } as const
  const [
    localDomain,
    named,
    remoteMessenger,
    burnLimitUnits,
    minFeeUnits,
    isTransmitterPaused,
    isMinterPaused,
    isTokenPaused,
    isDenylisted,
    isBlacklisted,
  ] = await Promise.all([
    client.readContract({ ...ofTransmitter, functionName: "localDomain" }),
    client.readContract({ ...ofMessenger, functionName: "localMessageTransmitter" }),
    client.readContract({
      ...ofMessenger,
      functionName: "remoteTokenMessengers",
      args: [destination],
    }),
    client.readContract({ ...ofMinter, functionName: "burnLimitsPerMessage", args: [token] }),
    readMinFee(at, messenger, amountUnits),
    client.readContract({ ...ofTransmitter, functionName: "paused" }),
    client.readContract({ ...ofMinter, functionName: "paused" }),
    client.readContract({ ...ofToken, functionName: "paused" }),
    client.readContract({ ...ofMessenger, functionName: "isDenylisted", args: [account] }),
    client.readContract({ ...ofToken, functionName: "isBlacklisted", args: [account] }),
  ])
  return {
    localDomain,
    minter,
    transmitter: named,
    remoteMessenger,
    burnLimitUnits,
    minFeeUnits,
    isTransmitterPaused,
    isMinterPaused,
    isTokenPaused,
    isDenylisted,
    isBlacklisted,
  }
}

/** Version 2.0 has no least fee, and no such function. */
async function readMinFee(
  { client, height: blockNumber }: Place,
  address: Address,
  amountUnits: bigint,
): Promise<bigint> {
  try {
    return await client.readContract({
      address,
      abi: messengerAbi,
      functionName: "getMinFeeAmount",
      args: [amountUnits],
      blockNumber,
    })
  } catch (error) {
    if (isReverted(error)) return 0n
    throw error
  }
}

/** What the contracts of the destination say about a mint, at one block. */
export type DestinationState = {
  readonly localDomain: number
  readonly remoteMessenger: Hex
  /** The token that a burn of the source's token mints here. */
  readonly localToken: Address
  readonly allowanceUnits: bigint
  readonly isTransmitterPaused: boolean
  readonly isMinterPaused: boolean
  readonly isTokenPaused: boolean
  readonly isBlacklisted: boolean
}

export async function readDestinationState(
  { client, height: blockNumber }: Place,
  { token, messenger, transmitter }: CctpContracts,
  {
    recipient,
    source,
    burnToken,
  }: {
    readonly recipient: Address
    readonly source: number
    readonly burnToken: Hex
  },
): Promise<DestinationState> {
  const ofMessenger = { address: messenger, abi: messengerAbi, blockNumber } as const
  const ofTransmitter = { address: transmitter, abi: transmitterAbi, blockNumber } as const
  const ofToken = { address: token, abi: usdcAbi, blockNumber } as const
  const minter = await client.readContract({ ...ofMessenger, functionName: "localMinter" })
  const ofMinter = { address: minter, abi: minterAbi, blockNumber } as const
  const [
    localDomain,
    remoteMessenger,
    localToken,
    allowanceUnits,
    isTransmitterPaused,
    isMinterPaused,
    isTokenPaused,
    isBlacklisted,
    isMinterBlacklisted,
  ] = await Promise.all([
    client.readContract({ ...ofTransmitter, functionName: "localDomain" }),
    client.readContract({ ...ofMessenger, functionName: "remoteTokenMessengers", args: [source] }),
    client.readContract({ ...ofMinter, functionName: "getLocalToken", args: [source, burnToken] }),
    client.readContract({ ...ofToken, functionName: "minterAllowance", args: [minter] }),
    client.readContract({ ...ofTransmitter, functionName: "paused" }),
    client.readContract({ ...ofMinter, functionName: "paused" }),
    client.readContract({ ...ofToken, functionName: "paused" }),
    client.readContract({ ...ofToken, functionName: "isBlacklisted", args: [recipient] }),
    client.readContract({ ...ofToken, functionName: "isBlacklisted", args: [minter] }),
  ])
  return {
    localDomain,
    remoteMessenger,
    localToken,
    allowanceUnits,
    isTransmitterPaused,
    isMinterPaused,
    isTokenPaused,
    isBlacklisted: isBlacklisted || isMinterBlacklisted,
  }
}
