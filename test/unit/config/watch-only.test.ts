import { expect, test } from "vitest"
import { judgeConfig } from "#config/judge/judge-config.ts"
import { judgeAccounts } from "#config/judge/judge-twins.ts"
import { parseConfig } from "#config/load.ts"
import { readYamlSource } from "#config/yaml-source.ts"
import { openChains } from "#daemon/compose.ts"
import { readAccounts } from "#daemon/views/read-accounts.ts"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { systemClock } from "#lib/clock.ts"
import { Secret } from "#lib/secret.ts"

const EVM = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"
const STARKNET = "0x0049d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004d1"
const WATCHED = {
  bitcoin: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  ethereum: EVM,
  solana: "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin",
  starknet: STARKNET,
}
const RPC = 'rpc: ["http://127.0.0.1:1"]'

function textOf(keys: Partial<typeof WATCHED> & { account?: string } = {}, more = ""): string {
  const { bitcoin, ethereum, solana, starknet, account = STARKNET } = { ...WATCHED, ...keys }
  return `service: { url: "http://127.0.0.1:1" }
chains:
  base: { ${RPC}, key: "env:KEY" }
  bitcoin: { esplora: ["http://127.0.0.1:1"], key: "watch:${bitcoin}" }
  ethereum: { ${RPC}, key: "watch:${ethereum}" }
  solana: { ${RPC}, key: "watch:${solana}" }
  starknet: { ${RPC}, account: "${account}", key: "watch:${starknet}" }
assets:
  base:eth: { decimals: 18 }
  bitcoin:btc: { decimals: 8 }
  ethereum:eth: { decimals: 18 }
${more}`
}

const secrets = (reference: string): Secret => new Secret(`0x${"11".repeat(32)}`, reference)
const parse = (text: string) => parseConfig(text, { file: "b.yaml", secrets })

test("a wallet without a key has its address on each family, and signs nothing", async () => {
  const config = parse(textOf())
  const accounts = await readAccounts(config)
  const ports = await openChains(config, systemClock)
  for (const [chain, address] of Object.entries(WATCHED)) {
    const port = ports.get(toChainId(chain))
    expect(accounts.get(toChainId(chain))).toBe(address)
    expect(port).toMatchObject({ account: address, isWatchOnly: true })
    expect([port?.uses, port?.tokenAccounts]).toEqual([undefined, undefined])
    expect(await port?.estimateRedeemFee(parseAssetId(`${chain}:any`))).toBeNull()
    // CAST: a refusal reads no plan.
    const plan = { digest: "00" } as unknown as TransactionPlan
    await expect(port?.signTransaction(plan)).rejects.toMatchObject({ code: "wallet.watch_only" })
  }
  expect(ports.get(toChainId("base"))?.isWatchOnly).toBeUndefined()
})

test.each([
  ["of another family", { bitcoin: EVM }, "expected a Bitcoin address after watch:"],
  ["beside another account", { account: "0x1" }, "expected the address of account (0x1)"],
])("an address %s is a problem of the file", (_what, keys, message) => {
  expect(() => parse(textOf(keys))).toThrow(message)
})

test.each([
  ["of another network", { bitcoin: "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx" }],
  ["with a wrong digit", { ethereum: EVM.replace("d8dA", "d8da") }],
])("an address %s stops the start", async (_what, keys) => {
  const opened = openChains(parse(textOf(keys)), systemClock)
  await expect(opened).rejects.toMatchObject({ code: "config.watch_address" })
})

const PAIR = "from: ethereum:eth, to: base:eth"
test.each([
  [`{ id: r, kind: recurring, schedule: "0 9 * * *", ${PAIR}, amount: "1" }`, ["ethereum:eth"]],
  [`{ id: r, kind: sweep, ${PAIR} }`, ["ethereum:eth"]],
  ["{ id: r, kind: gas, asset: base:eth, sources: [ethereum:eth] }", ["ethereum:eth"]],
  [
    'sinks: [base:eth], id: r, kind: band, asset: bitcoin:btc, min: "1", target: "2", max: "3"',
    ["bitcoin:btc"],
  ],
  [
    'sources: [base:eth], id: r, kind: band, asset: bitcoin:btc, min: "1", target: "2", max: "3"',
    [],
  ],
  [
    '{ id: r, kind: weights, weights: { "base:eth": "50%", "bitcoin:btc": "50%" } }',
    ["bitcoin:btc"],
  ],
])("a rule that would sell from it stops the start: %s", (rule, subjects) => {
  const text = textOf({}, `rules: [ ${rule.startsWith("{") ? rule : `{ ${rule} }`} ]\n`)
  const found = judgeConfig(parse(text), readYamlSource(text, "b.yaml").value)
  const sold = found.filter(({ code }) => code === "config.watch_only")
  expect(sold.map((one) => one.subjects)).toEqual(subjects.length === 0 ? [] : [subjects])
  for (const { severity, path } of sold)
    expect({ severity, path }).toEqual({ severity: "refuse", path: ["rules", 0] })
})

const MNEMONIC =
  "bip39 0 abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon " +
  "abandon about"
const CHAINS = {
  bitcoin: 'preset: bitcoin, esplora: ["http://127.0.0.1:1"]',
  base: `preset: base, ${RPC}`,
  solana: `preset: solana, ${RPC}`,
  starknet: `preset: starknet, ${RPC}`,
}
const ACCOUNT = `account: "${STARKNET}"`

/** A hot wallet, and a watched one of the same chain under another name. */
function parseTwo(chain: keyof typeof CHAINS, address: string, own = "", more = "") {
  const keys = CHAINS[chain]
  const hot = `${chain}: { ${keys}, key: "env:KEY"${own} }`
  const text = `service: { url: "http://127.0.0.1:1" }
chains: { vault: { ${keys}, key: "watch:${address}"${more} }, ${hot} }
`
  const words = (reference: string): Secret =>
    new Secret(reference === "env:KEY" ? MNEMONIC : reference.slice(6), reference)
  return parseConfig(text, { file: "b.yaml", secrets: words })
}

// The addresses of the test vectors of BIP-86, BIP-84 and the wallets that CONFIG.md names.
const HOT_EVM = "0x9858EfFD232B4033E47d90003D41EC34EcaEda94"
const HOT_BITCOIN = "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr"
const HOT_OLD = "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu"
const HOT_SOLANA = "HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk"

test.each([
  ["of Bitcoin", "bitcoin", HOT_BITCOIN, ", address: p2tr", ""],
  ["of Bitcoin, of the other kind", "bitcoin", HOT_OLD, ", address: p2wpkh", ", address: p2tr"],
  ["of EVM", "base", HOT_EVM, "", ""],
  ["of EVM, in small letters", "base", HOT_EVM.toLowerCase(), "", ""],
  ["of Solana", "solana", HOT_SOLANA, "", ""],
  [
    "of Starknet, without its zeros",
    "starknet",
    STARKNET.replace("0x00", "0x"),
    `, ${ACCOUNT}`,
    "",
  ],
  [
    "of Starknet, in capitals",
    "starknet",
    `0x${STARKNET.slice(2).toUpperCase()}`,
    `, ${ACCOUNT}`,
    "",
  ],
] as const)("a watched address of a hot wallet is refused: %s", async (...row) => {
  const [, chain, address, own, more] = row
  const account = chain === "starknet" ? `, account: "${address}"` : ""
  const config = parseTwo(chain, address, own, more + account)
  const found = judgeAccounts(config.chains, await readAccounts(config))
  expect(found.map(({ code, severity, path }) => ({ code, severity, path }))).toEqual([
    { code: "config.same_account", severity: "refuse", path: ["chains", "vault", "key"] },
  ])
  const opened = openChains(config, systemClock)
  await expect(opened).rejects.toMatchObject({ code: "config.unsafe" })
  await expect(opened).rejects.toThrow("config.same_account")
})

test.each([
  ["another address", "base", EVM, "", ""],
  ["the other kind of address of one key", "bitcoin", HOT_OLD, ", address: p2tr", ""],
] as const)("a vault beside a hot wallet is not refused: %s", async (...row) => {
  const [, chain, address, own, more] = row
  const config = parseTwo(chain, address, own, more)
  expect(judgeAccounts(config.chains, await readAccounts(config))).toEqual([])
  expect((await openChains(config, systemClock)).size).toBe(2)
})

test("one address on two chains is no twin", async () => {
  const config = parse(textOf())
  const accounts = await readAccounts(config)
  const same = new Map([...accounts, [toChainId("base"), EVM]])
  expect(judgeAccounts(config.chains, same)).toEqual([])
})
