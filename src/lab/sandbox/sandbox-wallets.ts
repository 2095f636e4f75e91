/**
 * The addresses of the keys in `config/sandbox-keys/`. The keys are public: they hold only
 * worthless coins on loopback chains.
 *
 * The addresses stand here as text because the sandbox does not import Ballast's key handling. A
 * test compares them with the keys.
 */
export const SANDBOX_WALLETS = {
  bitcoin: "bcrt1pzc5kh3humgcctqjjl9sxrytxmvydej4rhfkq5gu85lhp5twqcxwq87g8jk",
  evm: "0xDF6452499758ca5a4197b7a400EC63CdcFE53390",
  solana: "CcFVLyzjkRYDTFBQWoDWSugz2Xns3MgFPDRqSUAKfUEa",
  starknet: "0x04462f242e56a2d6f2cf00762efccddf8b429a19eb8f93c8c7bc95e47807d265",
} as const

/** The `p2wpkh` address of the Bitcoin key. The published client's wallet has no other kind. */
export const P2WPKH_WALLET = "bcrt1quzjm3z9eav93h650h3fxjcd44dyr4dnefc09mn"

/**
 * The Stark public key (x coordinate) of the Starknet sandbox wallet. The devnet deploys an account
 * for it.
 */
export const STARKNET_PUBLIC_KEY =
  "0x3d083a17915dd45592f55b41a093d24efe7104166bfd6978545cc951e5ec3a3"
