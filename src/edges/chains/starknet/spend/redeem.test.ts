import { createHash } from "node:crypto"
import { expect, test } from "vitest"
import type { Asset } from "#domain/asset.ts"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { Secret } from "#lib/secret.ts"
import { encodeMulticall, encodeRedeem, SELECTORS } from "../htlc.ts"
import { openStarknetKey } from "../keys/open-key.ts"
import { formatInvoke, hashInvoke, maxFeeOf } from "./invoke.ts"

const chain = toChainId("starknet_sepolia")
const account = "0xacc"
const htlc = "0x71c"
const secret = "5e".repeat(32)
const asset: Asset = {
  id: parseAssetId("starknet_sepolia:wbtc"),
  chain,
  decimals: 8,
  token: "0x70c",
  htlc: [htlc],
}

test.each(["words", "halves"] as const)(
  "the signer process learns which secret a redemption tells (%s)",
  (layout) => {
    const config = {
      chain,
      chainId: "SN_SEPOLIA",
      account,
      maxFeeUnits: 10n ** 18n,
      key: new Secret("0x5e", "env:KEY"),
    }
    // CAST: the fields that a key holder reads.
    const keys = openStarknetKey(config as unknown as Parameters<typeof openStarknetKey>[0], {
      assets: [asset],
      foreignRefundKeys: false,
    })
    for (const calldata of encodeRedeem(0xabn, secret, layout)) {
      const bound = { amount: "0x10", price: "0x10" }
      const calls = encodeMulticall([{ to: BigInt(htlc), selector: SELECTORS.redeem, calldata }])
      const invoke = {
        chainId: "SN_SEPOLIA",
        sender: account,
        nonce: "0x7",
        calldata: calls.map((felt) => `0x${felt.toString(16)}`),
        bounds: { l1Gas: bound, l2Gas: bound, l1DataGas: bound, tip: "0x0" },
      }
      const plan: TransactionPlan = {
        chain,
        account,
        action: "redeem",
        attempt: 0,
        unsigned: formatInvoke(invoke),
        digest: hashInvoke(invoke),
        resources: ["nonce:7"],
        spends: [],
        maxFeeUnits: maxFeeOf(invoke.bounds),
        fromHeight: 0n,
        expiresAtHeight: null,
      }
      const redeemsHash = createHash("sha256").update(Buffer.from(secret, "hex")).digest("hex")
      expect(keys.readTransaction(plan, { order: "a", deposit: null })).toMatchObject({
        action: "redeem",
        redeemsHash,
      })
    }
  },
)
