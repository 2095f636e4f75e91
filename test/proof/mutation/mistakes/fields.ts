import {
  argumentIs,
  callIs,
  conditionIs,
  operatorIs,
  resultIs,
  valueIs,
  withoutStatement,
} from "../edits.ts"
import { mistakesOf } from "../mistake.ts"

/** A field that the service or a chain names is not verified. */
export const fieldsMistakes = mistakesOf("fields", {
  "src/edges/chains/bitcoin/spend/inspect-plan.ts": {
    checkOutputs: {
      "the change may go to another wallet": callIs("sameBytes", "change.script.length > 0"),
    },
    checkInputs: {
      "a special signature hash is signed": resultIs("sighashType", "input.sighashType !== 0"),
    },
  },
  "src/edges/chains/evm/decode.ts": {
    checkCall: { "a deposit with another value is accepted": operatorIs("value", "<") },
    decodeEvmDeposit: {
      "a deposit on behalf of another account refunds us": valueIs("initiator", "wallet.account"),
    },
  },
  "src/edges/chains/evm/spend/permit.ts": {
    checkPermitted: {
      "the EVM signer ignores the chain id": argumentIs("check chainId", 0, "tx.chainId > 0"),
      "the EVM signer ignores the digest": argumentIs(
        "check formatUnsigned",
        0,
        "plan.digest.length > 0",
      ),
      "the EVM signer uses a nonce that is not reserved": argumentIs(
        "check resources",
        0,
        "plan.resources.length === 1",
      ),
    },
    readCall: {
      "the EVM signer approves any spender": resultIs("tokenOf", "tokenOf(asset) === tx.to"),
      "a void pays another account": resultIs(
        "wallet account",
        'tx.value === 0n ? { action: "void", ...nothing } : null',
      ),
    },
  },
  "src/edges/chains/solana/spend/check-plan.ts": {
    findAsset: {
      "a program that is not configured is called": callIs(
        "includes",
        "htlc.length > 0 || program === ''",
      ),
    },
  },
  "src/edges/chains/solana/decode.ts": {
    decodeDeposit: {
      "a second instruction is accepted": valueIs(
        "findSigningFaults",
        "[...findSigningFaults(transaction, wallet)]",
      ),
    },
    findAccountFaults: {
      "the accounts of a deposit are not compared": valueIs(
        "sameAddress",
        "found.lookup !== null || right.address !== ''",
      ),
      "an extra account is accepted": resultIs("findings", "[...findings, ...extra.slice(0, 0)]"),
    },
  },
  "src/edges/chains/starknet/decode.ts": {
    decodeStarknetDeposit: {
      "an unknown Starknet contract gets a deposit": withoutStatement("asset"),
    },
  },
  "src/edges/chains/starknet/spend/permit.ts": {
    readApproval: {
      "the Starknet signer approves any spender": resultIs("asset", "tokenOf(asset) === to"),
    },
  },
  "src/edges/chains/starknet/typed-data.ts": {
    checkMember: {
      "a member of the typed data with another value is accepted": callIs(
        "holds",
        "value !== undefined",
      ),
    },
  },
  "src/engine/orders/deposit/sign-typed-data.ts": {
    signTypedData: {
      "a changed contract does not stop a gasless signature": withoutStatement("changed"),
    },
  },
  "src/engine/orders/deposit/verify-order.ts": {
    verifyOrder: {
      "an order that changed after its check is deposited": operatorIs("verdict", "&&"),
    },
  },
  "src/core/guards/compare-contract.ts": {
    compareContract: {
      "a pinned value that the chain does not show passes": valueIs(
        "ABSENT",
        "found[name] ?? expected",
      ),
    },
  },
  "src/core/guards/verify-deposit.ts": {
    compareAmounts: {
      "a deposit of another amount passes": argumentIs(
        "equal deposit_amount",
        3,
        "order.source.units",
      ),
      "a payout of another amount passes": argumentIs(
        "equal destination_amount",
        2,
        "order.destination.units",
      ),
    },
    compareParties: {
      "a refund to the service's own depositor passes": argumentIs(
        "sameOnSource refundTo",
        1,
        "order.source.initiator",
      ),
      "a payout to another address passes": argumentIs("holds ownerSame", 0, "true"),
      "the deposit may name another redeemer than the order": argumentIs(
        "holds redeemerSame",
        0,
        "true",
      ),
    },
    compareTimelocks: {
      "the locks need no margin between them": valueIs(
        "marginHolds",
        "destinationSeconds <= sourceSeconds",
      ),
    },
    compareSecrets: {
      "a secret hash may serve two orders": conditionIs("context", true),
      "a secret hash of zeros passes": valueIs(
        "wellFormed",
        "/^[0-9a-f]{64}$/.test(decoded.secretHash)",
      ),
      "the two legs may have different secrets": argumentIs(
        "equal secret_hash_legs",
        3,
        "order.source.secretHash",
      ),
    },
    untouched: { "a leg that is already funded passes": operatorIs("filledUnits", ">=") },
    compareIdentity: {
      "the deposit may be for another chain": argumentIs("equal deposit_chain", 2, "decoded.chain"),
      "the order may pay another asset": argumentIs(
        "equal destination_asset",
        2,
        "order.destination.asset",
      ),
    },
    compareDerivation: {
      "an address that cannot be derived is paid": argumentIs(
        "holds",
        0,
        'decoded.htlcKind !== "contract" || decoded.htlcKind === "contract"',
      ),
    },
  },
})
