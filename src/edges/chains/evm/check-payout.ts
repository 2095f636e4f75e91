import { type Address, encodeFunctionData, type Hex, parseAbi } from "viem"
import type { AssetId } from "#domain/asset.ts"
import type { Finding } from "#domain/deposit.ts"
import { ignoreUnhandled } from "#lib/retry.ts"
import type { FundedPayout } from "#ports/chain/capabilities.ts"
import { readAgreed } from "./nodes/agree.ts"
import { findRevert } from "./nodes/dialect.ts"
import type { At } from "./rpc.ts"
import { htlcsOf, requireAddress, requireAsset, tokenOf, type Wallet } from "./wallet.ts"

/**
 * The same before the deposit, when no HTLC holds this money: simulates a payment of one unit to
 * the owner, by a contract that has one or by our own account, and of nothing where neither has.
 */
export async function findPayeeFaults(
  wallet: Wallet,
  id: AssetId,
  owner: string,
): Promise<readonly Finding[]> {
  const asset = requireAsset(wallet, id)
  const token = tokenOf(asset)
  const payee = requireAddress(owner)
  const payers = [...htlcsOf(asset), wallet.account]
  return simulateFrom(wallet, { id, token, payee }, payers, async (at, from) => {
    const pay = (units: bigint) =>
      ignoreUnhandled(simulatePayment(at, { from, token, payee, units, isHeld: true }))
    // The likely payment is in the request of the balance. A token answers a lack with a revert, so
    // both are; but a node refuses a payment of coin that the payer lacks.
    const isTried = token !== null || wallet.holders.has(from)
    const early = [token !== null || !isTried ? pay(0n) : null, isTried ? pay(1n) : null]
    const isHolder = (await readHeld(at, token, from)) > 0n
    if (token === null) noteHolder(wallet, from, isHolder)
    return early[Number(isHolder)] ?? pay(isHolder ? 1n : 0n)
  })
}

function noteHolder({ holders }: Wallet, from: Address, isHolder: boolean): void {
  if (isHolder) holders.add(from)
  else holders.delete(from)
}

/**
 * Simulates the payment that a redemption makes: the HTLC sends the amount to the owner. It finds a
 * blacklisted or frozen owner, a paused token, a contract that takes no coin, and an HTLC without
 * the money. The redemption itself cannot be simulated, because it would show a node the secret.
 *
 * Where several contracts may hold the payout, one that can pay is enough.
 */
export async function findPayoutFaults(
  wallet: Wallet,
  id: AssetId,
  { owner, htlc, units }: FundedPayout,
): Promise<readonly Finding[]> {
  const asset = requireAsset(wallet, id)
  const payment = { id, token: tokenOf(asset), payee: requireAddress(owner) }
  const htlcs = htlc === null ? htlcsOf(asset) : [requireAddress(htlc)]
  return simulateFrom(wallet, payment, htlcs, (at, from) =>
    simulatePayment(at, { ...payment, from, units, isHeld: false }),
  )
}

type Payee = { readonly id: AssetId; readonly token: Address | null; readonly payee: Address }

/** No finding where one of the payers can pay. */
async function simulateFrom(
  wallet: Wallet,
  { id, payee }: Payee,
  payers: readonly Address[],
  simulate: (at: At, from: Address) => Promise<string | null>,
): Promise<readonly Finding[]> {
  // Nodes word a revert in their own ways, so only its presence is compared.
  let reason = "it reverts"
  const paid = await readAgreed(wallet.rpc, (at) =>
    Promise.all(
      payers.map(async (from) => {
        const refusal = await simulate(at, from)
        reason = refusal ?? reason
        return refusal === null
      }),
    ),
  )
  if (paid.includes(true)) return []
  const message =
    `a simulated payment of ${id} to ${payee} fails, so the payout cannot arrive ` +
    "now; ask the token's issuer whether the token is paused or the address is blocked"
  const expected = "a payment that works"
  return [{ code: "evm.payout_refused", message, expected, found: reason.slice(0, 300) }]
}

async function readHeld(
  { client, height: blockNumber }: At,
  token: Address | null,
  address: Address,
): Promise<bigint> {
  return token === null
    ? client.getBalance({ address, blockNumber })
    : client.readContract({
        abi,
        address: token,
        functionName: "balanceOf",
        args: [address],
        blockNumber,
      })
}

type Payment = {
  readonly from: Address
  readonly token: Address | null
  readonly payee: Address
  readonly units: bigint
  /** The payer was asked, and has as much. */
  readonly isHeld: boolean
}

/** Why the payment fails; `null` where it works. Throws where the node gives no answer. */
async function simulatePayment(at: At, payment: Payment): Promise<string | null> {
  const { from: account, token, payee, units, isHeld } = payment
  const { client, height: blockNumber } = at
  const call =
    token === null
      ? { to: payee, value: units }
      : {
          to: token,
          data: encodeFunctionData({ abi, functionName: "transfer", args: [payee, units] }),
        }
  // Nodes tell a lack of coin in many ways, and none of them is a revert.
  const mayLack = token === null && !isHeld
  if (mayLack && (await client.getBalance({ address: account, blockNumber })) < units)
    return "the HTLC has less coin"
  try {
    const { data = "0x" } = await client.call({ account, ...call, blockNumber })
    return token !== null && isFalse(data) ? "the token answers false" : null
  } catch (error) {
    const revert = findRevert(error)
    if (revert === null) throw error
    return revert.message
  }
}

const abi = parseAbi([
  "function transfer(address to, uint256 value) returns (bool)",
  "function balanceOf(address owner) view returns (uint256)",
])

/** Some tokens answer nothing; then a revert alone means no. */
function isFalse(data: Hex): boolean {
  return data.length > 2 && BigInt(data) === 0n
}
