import type { BurnMessage, Hex } from "#routes/cctp/message.ts"

const word = (tail: string): Hex => `0x${tail.padStart(64, "0")}`

/**
 * A fast mint on OP Sepolia from Arbitrum Sepolia, public as the call data of transaction
 * 0x8e99cb58c7b597e9032c73cbbfedc1f73028e64f11c869cdb0bceb989dee6a99 (2025-10).
 */
export const LIVE_MESSAGE: Hex = `0x${[
  "000000010000000300000002",
  "313186f336ca9c692eb03090d981fa5b20ba9b64f958b6e3ee7289ee84d8ae54",
  "0000000000000000000000008fe6b999dc680ccfdd5bf7eb0974218be2542daa",
  "0000000000000000000000008fe6b999dc680ccfdd5bf7eb0974218be2542daa",
  "0000000000000000000000000000000000000000000000000000000000000000",
  "000003e8000003e8",
  "00000001",
  "00000000000000000000000075faf114eafb1bdbe2f0316df893fd58ce46aa4d",
  "000000000000000000000000aa6816876280c5a685baf3d9c214a092c7f3f6ef",
  "000000000000000000000000000000000000000000000000000000000007a120",
  "000000000000000000000000b64f20a20f55d77bbe708db107aa5e53a9e39063",
  "00000000000000000000000000000000000000000000000000000000000003e8",
  "0000000000000000000000000000000000000000000000000000000000000032",
  "000000000000000000000000000000000000000000000000000000000205672a",
].join("")}`

export const LIVE_ATTESTATION: Hex = `0x${[
  "6326672a86e6110be09779ef3ba35f7958c0eed56ac425768ef3e37f120b10ea",
  "237b0e54564fc643d48b44a1e8ad807e263f70060dfb54f261308eb411bc7ef9",
  "1b",
  "7200586c261d583b0123a55ed70ab1e754d16f936e0421ca5c475acdcc70365f",
  "7a28234efcf406071d3d4600953c1471140e5993f620dc87b7a5d1e8be7aa6b9",
  "1b",
].join("")}`

/** The same message, field by field. */
export const LIVE_FIELDS: BurnMessage = {
  version: 1,
  sourceDomain: 3,
  destinationDomain: 2,
  nonce: "0x313186f336ca9c692eb03090d981fa5b20ba9b64f958b6e3ee7289ee84d8ae54",
  sender: word("8fe6b999dc680ccfdd5bf7eb0974218be2542daa"),
  recipient: word("8fe6b999dc680ccfdd5bf7eb0974218be2542daa"),
  destinationCaller: word(""),
  minFinalityThreshold: 1_000,
  finalityThresholdExecuted: 1_000,
  bodyVersion: 1,
  burnToken: word("75faf114eafb1bdbe2f0316df893fd58ce46aa4d"),
  mintRecipient: word("aa6816876280c5a685baf3d9c214a092c7f3f6ef"),
  amountUnits: 500_000n,
  messageSender: word("b64f20a20f55d77bbe708db107aa5e53a9e39063"),
  maxFeeUnits: 1_000n,
  feeExecutedUnits: 50n,
  expirationBlock: 33_908_522n,
  hookData: "0x",
}
