import { type Address, encodeFunctionData, type Hex, parseAbi } from "viem"
import type { AssetId } from "#domain/asset.ts"
import type { Finding } from "#domain/deposit.ts"
import type { FundedPayout } from "#ports/chain.ts"
import { readAgreed } from "./nodes/agree.ts"
import { findRevert } from "./nodes/post-rpc.ts"
import type { At } from "./rpc.ts"
import { htlcsOf, requireAddress, requireAsset, tokenOf, type Wallet } from "./wallet.ts"

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
  const token = tokenOf(asset)
  const payee = requireAddress(owner)
  const htlcs = htlc === null ? htlcsOf(asset) : [requireAddress(htlc)]
  // Nodes word a revert in their own ways, so only its presence is compared.
  let reason = "it reverts"
  const paid = await readAgreed(wallet.rpc, (at) =>
    Promise.all(
      htlcs.map(async (from) => {
        const refusal = await simulatePayment(at, { from, token, payee, units })
        reason = refusal ?? reason
        return refusal === null
      }),
    ),
  )
  if (paid.includes(true)) return []
  const message =
    `a simulated payment of ${id} from the HTLC to ${owner} fails, so the payout cannot arrive ` +
    "now; ask the token's issuer whether the token is paused or the address is blocked"
  const expected = `a payment of ${units} units`
  return [{ code: "evm.payout_refused", message, expected, found: reason.slice(0, 300) }]
}

type Payment = {
  readonly from: Address
  readonly token: Address | null
  readonly payee: Address
  readonly units: bigint
}

/** Why the payment fails; `null` where it works. Throws where the node gives no answer. */
async function simulatePayment(at: At, payment: Payment): Promise<string | null> {
  const { from: account, token, payee, units } = payment
  const { client, height: blockNumber } = at
  const call =
    token === null
      ? { to: payee, value: units }
      : { to: token, data: encodeFunctionData({ abi, args: [payee, units] }) }
  // Nodes tell a lack of coin in many ways, and none of them is a revert.
  if (token === null && (await client.getBalance({ address: account, blockNumber })) < units)
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

const abi = parseAbi(["function transfer(address to, uint256 value) returns (bool)"])

/** Some tokens answer nothing; then a revert alone means no. */
function isFalse(data: Hex): boolean {
  return data.length > 2 && BigInt(data) === 0n
}
