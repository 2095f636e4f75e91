import { describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { AppError } from "#lib/app-error.ts"
import { Secret } from "#lib/secret.ts"
import type { Config } from "../config.ts"
import { configHash } from "../hash.ts"
import { parseConfig } from "../load.ts"

const KEY = "00112233445566778899aabbccddeeff0f1e2d3c4b5a69788796a5b4c3d2e1f0"
const VALUES: Readonly<Record<string, string>> = {
  "env:SECRETS": KEY,
  "env:EVM_KEY": "11".repeat(32),
  "env:SAME": `0x${"11".repeat(32)}`,
  "env:COPY": "11".repeat(32),
  "env:SHORT": KEY.slice(2),
  "env:WEAK": "5e".repeat(32),
}
const OWN_PAIR = "{ from: base_sepolia:eth, to: base_sepolia:wbtc, secret: own }"
const BASE = `chains:
  base_sepolia: { family: evm, chain_id: 84532, rpc: ["http://127.0.0.1:4402"], key: "env:EVM_KEY" }
assets:
  base_sepolia:eth: { decimals: 18 }
  base_sepolia:wbtc: { decimals: 8, token: "0x1111111111111111111111111111111111111111" }
`

function parse(lines: string, service = ""): Config {
  const text = `service: { url: "http://127.0.0.1:4400"${service} }\n${BASE}${lines}`
  return parseConfig(text, {
    file: "b.yaml",
    secrets: (reference) => new Secret(VALUES[reference] ?? "", reference),
  })
}

function problemsOf(...input: Parameters<typeof parse>): readonly string[] {
  try {
    parse(...input)
    return []
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    expect(error.message).not.toContain(KEY.slice(2))
    return error.message.split("\n").slice(1)
  }
}

const withKey = (reference: string): string => `treasury: main\nsecrets: { key: "${reference}" }\n`

describe("our own swap secrets", () => {
  test("are chosen by the service without a key, and else by Ballast where it can", () => {
    expect(parse("").service).toMatchObject({ secret: "service", secretPairs: [] })
    expect(parse(withKey("env:SECRETS")).service.secret).toBe("prefer-own")
    expect(parse(withKey("env:SECRETS"), ", secret: own").service.secret).toBe("own")
    const pairs =
      ", secret_pairs: [{ from: base_sepolia:eth, to: base_sepolia:wbtc, secret: service }]"
    const pair = {
      from: parseAssetId("base_sepolia:eth"),
      to: parseAssetId("base_sepolia:wbtc"),
      secret: "service",
    }
    expect(parse(withKey("env:SECRETS"), pairs).service.secretPairs).toEqual([pair])
  })

  test("bound an order with the service's secret by max_order, or by a limit of its own", () => {
    const guards = 'guards: { max_order: "100 usd" }\n'
    expect(parse(guards).guards.maxServiceSecret).toEqual({ kind: "fiat", fiat: 100_000_000n })
    const both = 'guards: { max_order: "100 usd", max_service_secret: "5 usd" }\n'
    expect(parse(both).guards.maxServiceSecret).toEqual({ kind: "fiat", fiat: 5_000_000n })
    expect(parse("").guards.maxServiceSecret).toBeNull()
  })

  test.each([
    [
      "without a treasury",
      'secrets: { key: "env:SECRETS" }\n',
      "",
      "expected a treasury beside secrets.key",
    ],
    ["with a short key", withKey("env:SHORT"), "", "expected 32 bytes in hex"],
    ["with a weak key", withKey("env:WEAK"), "", "expected random bytes"],
    [
      "with a wallet's reference",
      withKey("env:EVM_KEY"),
      "",
      "found the wallet key of base_sepolia",
    ],
    ["with a copy of a wallet key", withKey("env:COPY"), "", "expected"],
    [
      "of our choice without a key",
      "",
      ", secret: prefer-own",
      "because secrets.key is not set, found prefer-own",
    ],
    [
      "for an unknown asset",
      withKey("env:SECRETS"),
      ", secret_pairs: [{ from: base_sepolia:usdc, to: base_sepolia:wbtc, secret: own }]",
      "expected an asset of assets",
    ],
    [
      "for one pair twice",
      withKey("env:SECRETS"),
      `, secret_pairs: [${OWN_PAIR}, ${OWN_PAIR}]`,
      "expected each pair once",
    ],
  ])("are refused %s", (_name, lines, service, expected) => {
    expect(problemsOf(lines, service).join("\n")).toContain(expected)
  })

  test("are not in the configuration's hash, but the name of their key is", () => {
    const hash = configHash(parse(withKey("env:SECRETS")))
    expect(hash).not.toBe(configHash(parse("treasury: main\n")))
    expect(
      JSON.stringify(parse(withKey("env:SECRETS")), (_key, item) =>
        typeof item === "bigint" ? "" : item,
      ),
    ).not.toContain(KEY)
  })
})
