import type { ChainConfig } from "#config/config.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import { present } from "#lib/assert.ts"

/** The refund of one deposit, in the family's own words: what has to be sent, by whom, and when. JSON-able. */
export type RefundRecipe = {
  /** Who may send it. */
  readonly who: string
  readonly when: string
  readonly how: readonly string[]
  readonly [detail: string]: unknown
}

/** What a wallet, a script or another program needs to take the deposit back without Ballast. Pure; the families are loaded when asked for. */
export async function describeRefund(deposit: VerifiedDeposit, chain: ChainConfig): Promise<RefundRecipe> {
  switch (chain.family) {
    case "bitcoin":
      return describeBitcoin(deposit, chain.network)
    case "evm":
      return describeEvm(deposit, chain.chainId)
    case "solana":
      return describeSolana(deposit)
    case "starknet":
      return describeStarknet(deposit)
  }
}

const ANYBODY = "anybody: the contract pays the initiator, whoever sends the refund"

type BitcoinNetwork = Extract<ChainConfig, { family: "bitcoin" }>["network"]

async function describeBitcoin(deposit: VerifiedDeposit, network: BitcoinNetwork): Promise<RefundRecipe> {
  const { deriveHtlc, htlcTerms, LEAF_VERSION } = await import("#chains/bitcoin/htlc.ts")
  const { networkOf } = await import("#chains/bitcoin/address.ts")
  const terms = htlcTerms.parse(deposit.extras["htlc"])
  const htlc = deriveHtlc(terms, networkOf(network))
  const ours = deposit.extras["refundKeyOurs"] === true
  return {
    who: ours
      ? "whoever holds our own key: it is the key of the refund leaf"
      : "the service only: the key of the refund leaf is not ours. Ask it to refund, with the service's order id",
    when: `${terms.timelock} blocks after the deposit was mined (BIP 68)`,
    how: [
      "spend the deposit's output with a version 2 transaction whose input has nSequence = timelock",
      "sign the refund leaf (BIP 342, leaf version 0xc0, SIGHASH_DEFAULT) with the refund key",
      "witness: signature, refund leaf, control block",
    ],
    address: htlc.address,
    ...terms,
    nSequence: terms.timelock,
    leafVersion: LEAF_VERSION,
    refundLeaf: Buffer.from(htlc.refundLeaf).toString("hex"),
    controlBlock: Buffer.from(htlc.refundControlBlock).toString("hex"),
    scriptPubKey: Buffer.from(htlc.script).toString("hex"),
  }
}

async function describeEvm(deposit: VerifiedDeposit, chainId: number): Promise<RefundRecipe> {
  const { deriveOrderIds, encodeRefund, readAddress } = await import("#chains/evm/htlc.ts")
  const contract = present(readAddress(deposit.htlc), "the HTLC's address")
  const { units, timelock, secretHash } = deposit
  const redeemer = present(readAddress(deposit.redeemer), "the redeemer")
  const initiator = present(readAddress(deposit.refundTo), "the initiator")
  const ids = deriveOrderIds({ initiator, redeemer, units, timelock, secretHash }, { chainId, htlc: contract })
  const calls = Object.entries(ids).map(([version, orderId]) => ({ version, orderId, data: encodeRefund(orderId) }))
  return {
    who: ANYBODY,
    when: `more than ${timelock} blocks after the initiation`,
    how: [
      "send a transaction with no value to the contract: refund(bytes32 orderId)",
      "the order id depends on the contract's version; the initiation's log `Initiated` has it as its first topic. A wrong one reverts",
    ],
    chainId,
    to: contract,
    value: "0",
    calls,
  }
}

async function describeSolana(deposit: VerifiedDeposit): Promise<RefundRecipe> {
  const { buildRefund } = await import("#chains/solana/htlc.ts")
  const { parseAddress } = await import("#chains/solana/wallet.ts")
  const program = present(parseAddress(deposit.htlc), "the program's address")
  const initiator = present(parseAddress(deposit.refundTo), "the initiator")
  const { keys, data } = buildRefund(program, initiator, Buffer.from(deposit.secretHash, "hex"))
  return {
    who: ANYBODY,
    when: `after ${deposit.timelock} slots from the initiation's slot`,
    how: ["send a transaction with this one instruction; any account may pay its fee"],
    program: deposit.htlc,
    accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({ address: pubkey.toBase58(), isSigner, isWritable })),
    data: data.toString("hex"),
  }
}

async function describeStarknet(deposit: VerifiedDeposit): Promise<RefundRecipe> {
  const { SELECTORS } = await import("#chains/starknet/htlc.ts")
  const { formatFelt } = await import("#chains/starknet/felt.ts")
  return {
    who: ANYBODY,
    when: `more than ${deposit.timelock} blocks after the initiation`,
    how: ['invoke `refund` of the contract from any account, for instance in the explorer\'s "write contract" view'],
    to: deposit.htlc,
    entrypoint: "refund",
    selector: formatFelt(SELECTORS.refund),
    calldata: [`0x${String(deposit.extras["orderId"])}`],
  }
}
