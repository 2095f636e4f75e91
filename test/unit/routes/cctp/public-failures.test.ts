import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"

/*
 * Failures of CCTP seen in public, each with the test of the right behaviour in each family where
 * it can occur.
 */

const CHAINS = "chains/cctp/burn-and-mint.test.ts"
const SERVICE = "unit/routes/cctp/attestation-service.test.ts"
const ROUTE = "unit/routes/cctp/create-route.test.ts"
const JUDGE = "unit/routes/cctp/judge-attested.test.ts"
const KEY = "unit/chains/evm/cctp/burn-permissions.test.ts"
const SOLANA = "chains/cctp/solana.test.ts"
const SOLANA_KEY = "unit/chains/solana/cctp/sign-burn.test.ts"
const SOLANA_MINT = "unit/chains/solana/cctp/plan-mint.test.ts"
const SOLANA_BYTES = "unit/chains/solana/cctp/published.test.ts"
const ENGINE = "unit/engine/other-routes.test.ts"
const WAITS = "proof/engine/route-waits.test.ts"
const DEATHS = "proof/engine/route-deaths.test.ts"
const SIMULATOR = "proof/fault-sim/planted-bugs.test.ts"

/** A file, and a part of the name of a test or of its row. */
type Named = readonly [file: string, name: string]
/** A text says why the family cannot have the failure. */
type OfFamily = readonly Named[] | string

type Failure = {
  readonly what: string
  /** Tests of code that no family has for itself. */
  readonly shared?: readonly Named[]
  readonly evm?: OfFamily
  readonly solana?: OfFamily
}

const FAILURES: readonly Failure[] = [
  {
    what: "a fee just below the fast one falls to standard",
    shared: [
      [JUDGE, "insufficient_fee"],
      [ROUTE, "promise the amount without"],
    ],
  },
  { what: "attestations are missing for weeks", shared: [[WAITS, "for ever is one alarm"]] },
  {
    what: "404 for hours",
    shared: [[SERVICE, "are none while the service does not know the transaction"]],
  },
  {
    what: "a wallet in the place of a token account",
    evm: "A mint pays the wallet itself.",
    solana: [
      [SOLANA, "in place of its token account"],
      [SOLANA_KEY, "mintRecipient: wordOf(KEY"],
    ],
  },
  {
    what: "a token account that does not exist",
    evm: "Every account can hold the token.",
    solana: [
      [SOLANA, "while our token account there is missing"],
      [SOLANA, "burnt before our token account is there waits for it"],
    ],
  },
  {
    what: "another relayer minted first",
    shared: [[ENGINE, "another party took for us completes"]],
    evm: [[CHAINS, "that a stranger mints first is ours"]],
    solana: [
      [SOLANA, "that another account mints first is ours"],
      [SIMULATOR, "used nonce read from another account"],
    ],
  },
  {
    what: "an expired message that is called complete",
    evm: [[CHAINS, "gives an expired message again"]],
    solana: [[SOLANA, "of other bytes or after its expiry is not minted"]],
  },
  {
    what: "a recipient that is the token itself",
    evm: [[KEY, '["a stranger", { mintRecipient']],
    solana: [[SOLANA_KEY, "mintRecipient: wordOf(ACCOUNTS.mint)"]],
  },
  {
    what: "limits of gas or compute units that are too low",
    evm: [[CHAINS, "gets the gas that its contracts ask for"]],
    solana: [
      [SOLANA_MINT, "gets the highest one"],
      [SOLANA, "is minted by us after a %s burn"],
      [SOLANA_KEY, "with another budget"],
    ],
  },
  {
    what: "a lost answer after the broadcast, or a process that dies",
    shared: [[DEATHS, "neither deposits nor redeems twice"]],
    evm: [["e2e/cctp.test.ts", "burns once and mints"]],
    solana: [
      ["e2e/cctp-solana.test.ts", "burns once and mints"],
      [SOLANA, "is never burnt twice for one order"],
      [SIMULATOR, "burn repeated after not found"],
    ],
  },
  {
    what: "a reverted burn that is taken for a burn",
    evm: [[CHAINS, "that left in a reverted transaction was not burnt"]],
    solana: [[SOLANA, "that failed in its block was not burnt"]],
  },
  {
    what: "an amount above the limit",
    evm: [[CHAINS, "a limit, a least fee, an allowance"]],
    solana: [[SOLANA, "is not burnt above the limit"]],
  },
  {
    what: "a pair that is not linked",
    evm: [[CHAINS, "a broken link are reasons"]],
    solana: [[SOLANA, "is not burnt while its token has no pair here"]],
  },
  {
    what: "a signature that the contract refuses",
    evm: [[CHAINS, "gives a voucher that no gas is paid for"]],
    solana: [[SOLANA, "a message of another attester"]],
  },
  {
    what: "a mint that its chain drops",
    evm: [[CHAINS, "a mint that its chain drops can be sent again"]],
    solana: [
      [SOLANA, "a mint that its chain drops is none"],
      [SIMULATOR, "mint final as soon as seen"],
    ],
  },
  {
    what: "an empty fast pool, and no hint",
    shared: [
      [ROUTE, "lack the fast one with its reason: an empty pool"],
      [ENGINE, "tells why its voucher takes longer"],
    ],
  },
  {
    what: "a fee with decimals",
    shared: [[SERVICE, "are numbers or texts with decimals"]],
  },
  {
    what: "the domain 0, and a recipient in the place of the caller",
    evm: [
      [KEY, '"another chain", { destinationDomain: 0 }'],
      [KEY, "a caller that alone may mint"],
    ],
    solana: [
      [SOLANA_BYTES, "of a burn for the domain 0"],
      [SOLANA_KEY, '["minted by one account"'],
    ],
  },
  { what: "version 1", shared: [[JUDGE, "of version 1"]] },
]

const FAMILIES = ["evm", "solana"] as const

describe.each(FAILURES)("$what", ({ shared = [], ...families }) => {
  test.each(FAMILIES)("has its test for %s, or cannot occur there", (family) => {
    const own = families[family]
    if (typeof own === "string") return
    expect([...shared, ...(own ?? [])].length).toBeGreaterThan(0)
    // What one family has tests of its own for, the other has too.
    expect(own === undefined).toBe(families.evm === undefined)
  })
})

const NAMED = FAILURES.flatMap(({ shared = [], evm = [], solana = [] }) =>
  [shared, evm, solana].flatMap((some) => (typeof some === "string" ? [] : some)),
)

test.each(NAMED)("%s has a test of that name: %s", (file, name) => {
  const lines = readFileSync(join(import.meta.dirname, "../../..", file), "utf8").split("\n")
  const isNamed = (line: string): boolean => line.includes(name) && /["`{]/.test(line)
  expect(lines.filter(isNamed)).not.toEqual([])
})
