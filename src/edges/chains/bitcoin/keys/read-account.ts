import { createECDH, createHash } from "node:crypto"
import { ripemd160 } from "@noble/hashes/legacy.js"
import { bech32, bech32m } from "@scure/base"
import { splitMnemonic } from "#chains/mnemonic-text.ts"
import type { BitcoinChainConfig } from "../config.ts"
import { bitcoinKeyError, PREFIXES, parseWif } from "./parse-wif.ts"
import { tweakKey } from "./tweak-key.ts"

/** The key's address, without the chain's SDK. Throws `config.key` (fatal). */
export async function readBitcoinAccount(
  chain: Pick<BitcoinChainConfig, "network" | "address" | "key">,
): Promise<string> {
  const prefixes = PREFIXES[chain.network]
  const privateKey = await readKey(chain)
  const publicKey = privateKey === null ? null : publicKeyOf(privateKey)
  if (publicKey === null) throw bitcoinKeyError(chain.key, prefixes.bech32)
  if (chain.address === "p2wpkh") {
    const hash = ripemd160(createHash("sha256").update(publicKey).digest())
    return bech32.encode(prefixes.bech32, [0, ...bech32.toWords(hash)])
  }
  return bech32m.encode(prefixes.bech32, [1, ...bech32m.toWords(tweakKey(publicKey))])
}

async function readKey({
  key,
  network,
  address,
}: Pick<BitcoinChainConfig, "network" | "address" | "key">) {
  const text = key.reveal().trim()
  const prefixes = PREFIXES[network]
  if (splitMnemonic(text) === null) return parseWif(text, prefixes.wif)
  const [{ readMnemonic }, { deriveBitcoinKey }] = await Promise.all([
    import("#chains/mnemonic.ts"),
    import("./derive-key.ts"),
  ])
  const seeded = readMnemonic(text)
  return seeded === null
    ? null
    : deriveBitcoinKey(seeded, { network: prefixes, addressType: address })
}

/** 33 bytes; `null` for a number that is no private key. */
function publicKeyOf(privateKey: Uint8Array): Buffer | null {
  const curve = createECDH("secp256k1")
  try {
    curve.setPrivateKey(privateKey)
  } catch {
    // Zero and numbers from the curve's order on. The error drops the library's message.
    return null
  }
  return curve.getPublicKey(null, "compressed")
}
