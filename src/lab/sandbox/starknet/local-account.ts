import { ec, hash } from "starknet"
import { ACCOUNT_CLASS, defineAccount, publicKeySlot } from "./account.ts"
import { type Devnet, nonceOf } from "./devnet.ts"
import { GAS_PRICES, type ViewCall } from "./execute.ts"
import { formatFelt, parseFelt } from "./felt.ts"
import { hashInvoke, type InvokeWire, parseInvoke } from "./invoke.ts"
import { revert } from "./revert.ts"
import { simulateInvoke, submitInvoke } from "./submit-invoke.ts"

/** One of the sandbox's own accounts: the solver or the faucet. */
export type LocalAccount = { readonly address: bigint; readonly privateKey: string }

/**
 * Deploys an account contract for this public key (x coordinate) at the address that starknet.js
 * computes.
 */
export function deployAccount(devnet: Devnet, publicKey: string): bigint {
  const key = parseFelt(publicKey)
  const computed = hash.calculateContractAddressFromHash(key, formatFelt(ACCOUNT_CLASS), [key], 0)
  const address = parseFelt(computed)
  devnet.contracts.set(address, defineAccount())
  devnet.storage.write(publicKeySlot(address), key)
  return address
}

export function createLocalAccount(devnet: Devnet, privateKey: string): LocalAccount {
  return { address: deployAccount(devnet, ec.starkCurve.getStarkKey(privateKey)), privateKey }
}

/**
 * Signs one multicall and submits it to the mempool. Throws the contract's reason if the multicall
 * would revert now.
 */
export function sendCalls(
  devnet: Devnet,
  account: LocalAccount,
  calls: readonly ViewCall[],
): string {
  const wire = buildInvoke(devnet, account, calls)
  const { revertReason } = simulateInvoke(devnet, wire, { checkSignature: true })
  if (revertReason !== null) revert(revertReason)
  return submitInvoke(devnet, wire)
}

function buildInvoke(
  devnet: Devnet,
  account: LocalAccount,
  calls: readonly ViewCall[],
): InvokeWire {
  const waiting = [...devnet.mempool.values()].filter((invoke) => invoke.sender === account.address)
  const encoded = calls.flatMap(({ to, selector, calldata }) => [
    to,
    selector,
    BigInt(calldata.length),
    ...calldata,
  ])
  const unsigned: InvokeWire = {
    type: "INVOKE",
    version: "0x3",
    sender_address: formatFelt(account.address),
    calldata: [BigInt(calls.length), ...encoded].map(formatFelt),
    signature: [],
    nonce: formatFelt(nonceOf(devnet, account.address) + BigInt(waiting.length)),
    resource_bounds: {
      l1_gas: { max_amount: "0x0", max_price_per_unit: formatFelt(GAS_PRICES.l1Gas) },
      l2_gas: {
        max_amount: formatFelt(20_000_000n),
        max_price_per_unit: formatFelt(GAS_PRICES.l2Gas),
      },
      l1_data_gas: {
        max_amount: formatFelt(10_000n),
        max_price_per_unit: formatFelt(GAS_PRICES.l1DataGas),
      },
    },
    tip: "0x0",
    paymaster_data: [],
    account_deployment_data: [],
    nonce_data_availability_mode: "L1",
    fee_data_availability_mode: "L1",
  }
  const digest = formatFelt(hashInvoke(parseInvoke(unsigned), devnet.environment.chainId))
  const { r, s } = ec.starkCurve.sign(digest, account.privateKey)
  return { ...unsigned, signature: [formatFelt(r), formatFelt(s)] }
}
