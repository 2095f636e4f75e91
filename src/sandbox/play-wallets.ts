/**
 * Addresses of the keys in `config/sandbox-keys/`, which everybody can read: play money on loopback chains, nothing else.
 * Written out here because the sandbox knows nothing of Ballast's own key handling; a test keeps the two together.
 */
export const PLAY_WALLETS = {
  bitcoin: "bcrt1quzjm3z9eav93h650h3fxjcd44dyr4dnefc09mn",
  evm: "0xDF6452499758ca5a4197b7a400EC63CdcFE53390",
  solana: "CcFVLyzjkRYDTFBQWoDWSugz2Xns3MgFPDRqSUAKfUEa",
  starknet: "0x04462f242e56a2d6f2cf00762efccddf8b429a19eb8f93c8c7bc95e47807d265",
} as const

/** The Stark public key (x coordinate) of the Starknet play wallet, whose account the stand-in deploys. */
export const STARKNET_PLAY_KEY = "0x3d083a17915dd45592f55b41a093d24efe7104166bfd6978545cc951e5ec3a3"
