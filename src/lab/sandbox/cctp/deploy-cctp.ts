import {
  type Abi,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  keccak256,
  pad,
  toHex,
} from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { assert } from "#lib/assert.ts"
import artifacts from "../evm/contracts/artifacts.json" with { type: "json" }
import { createSender, type Sender } from "../evm/create-sender.ts"
import type { EvmClient } from "../evm/evm-client.ts"

/** The four contracts of one local chain, and calls of their owner. */
export type LocalCctp<Chain extends CctpChain = CctpChain> = {
  readonly chain: Chain
  readonly domain: number
  readonly usdc: Hex
  readonly minter: Hex
  readonly transmitter: Hex
  readonly messenger: Hex
  /** Sends a call of the owner, and mines it. */
  own(contract: Contract, functionName: string, args: readonly unknown[]): Promise<void>
}

/** The part of a local EVM chain that the contracts need. */
export type CctpChain = {
  readonly name: string
  readonly client: EvmClient
  advance(blocks: number): Promise<void>
  setBalance(address: string, units: bigint): Promise<void>
}

type Contract = "usdc" | "minter" | "transmitter" | "messenger"

/** A fixed key that is public in this file; it holds only worthless coins. */
const OWNER = privateKeyToAccount(keccak256(toHex("ballast sandbox cctp owner")))

const NAMES = {
  usdc: "UsdcLike",
  minter: "LocalTokenMinter",
  transmitter: "LocalTransmitter",
  messenger: "LocalMessenger",
} as const satisfies Record<Contract, keyof typeof artifacts.contracts>

const PLENTY = 10n ** 15n
/** As live: ten million in one burn. */
const BURN_LIMIT = 10n ** 13n

/**
 * Deploys the contracts on a fresh chain. The owner starts at nonce 0, so the addresses are the
 * same on every start. `issued`: the token that is there already, and its owner.
 */
export async function deployCctp<Chain extends CctpChain>(options: {
  readonly chain: Chain
  readonly domain: number
  readonly attesters: readonly Hex[]
  readonly isOfVersion21?: boolean
  readonly issued?: { readonly usdc: Hex; readonly owner: Sender }
}): Promise<LocalCctp<Chain>> {
  const { chain, domain, attesters, isOfVersion21 = true, issued } = options
  const sender = createSender(chain.client, OWNER)
  await chain.setBalance(OWNER.address, 10n ** 24n)
  const at = (place: bigint): Hex =>
    getContractAddress({ from: OWNER.address, nonce: issued === undefined ? place : place - 1n })
  const usdc = issued?.usdc ?? at(0n)
  const minter = at(1n)
  const transmitter = at(2n)
  const messenger = at(3n)
  const addresses = { usdc, minter, transmitter, messenger }
  const send = async (call: { to?: Hex; data: Hex }, by = sender): Promise<void> => {
    const hash = await by.sendUnchecked(call)
    await chain.advance(1)
    const { status } = await chain.client.waitForTransactionReceipt({ hash })
    assert(status === "success", "a call of the owner of the local CCTP works", { hash })
  }
  const own: LocalCctp["own"] = (contract, functionName, args) =>
    send(
      {
        to: addresses[contract],
        data: encodeFunctionData({ abi: abiOf(contract), functionName, args: [...args] }),
      },
      contract === "usdc" ? issued?.owner : undefined,
    )
  if (issued === undefined) await send({ data: deploymentOf("usdc", []) })
  await send({ data: deploymentOf("minter", []) })
  await send({ data: deploymentOf("transmitter", [domain, attesters]) })
  await send({ data: deploymentOf("messenger", [transmitter, minter, isOfVersion21]) })
  await own("minter", "setMessenger", [messenger])
  await own("minter", "setBurnLimit", [usdc, BURN_LIMIT])
  await own("usdc", "setMinterAllowance", [minter, PLENTY])
  return { chain, domain, ...addresses, own }
}

/** Makes burns of each chain mintable on each other one. */
export async function linkCctp(all: readonly LocalCctp[]): Promise<void> {
  for (const here of all)
    for (const there of all.filter((other) => other !== here)) {
      await here.own("messenger", "setRemote", [there.domain, pad(there.messenger)])
      await here.own("minter", "linkToken", [there.domain, pad(there.usdc), here.usdc])
    }
}

function abiOf(contract: Contract): Abi {
  // CAST: the compiler writes an ABI; the type of the JSON import is too wide.
  return artifacts.contracts[NAMES[contract]].abi as Abi
}

function deploymentOf(contract: Contract, args: readonly unknown[]): Hex {
  // CAST: compile.ts writes every bytecode as 0x-hex.
  const bytecode = artifacts.contracts[NAMES[contract]].bytecode as Hex
  return encodeDeployData({ abi: abiOf(contract), bytecode, args: [...args] })
}
