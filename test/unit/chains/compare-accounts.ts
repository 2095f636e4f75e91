import fc from "fast-check"
import { expect } from "vitest"
import { createMnemonic } from "#chains/mnemonic.ts"
import { formatMnemonic } from "#chains/mnemonic-text.ts"
import { AppError } from "#lib/app-error.ts"
import { Secret } from "#lib/secret.ts"

/**
 * `ballast check` and `ballast wallet` derive accounts without the chains' libraries. The libraries
 * judge here: each text gives the same account, or is refused with the same error.
 */
export const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })
const hex = bytes.map((key) => Buffer.from(key).toString("hex"))
const ORDER = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
const edges = [
  "0".repeat(64),
  `${"0".repeat(63)}1`,
  ORDER,
  `${ORDER.slice(0, -1)}0`,
  `${ORDER.slice(0, -1)}2`,
  "f".repeat(64),
  "",
  "0x",
  "0x0",
  "0x1",
  "0X12",
  "12345",
  "zz",
  "not a key",
  `0x${"0".repeat(65)}`,
  "0x1 ",
  " 0x1",
  "0800000000000010ffffffffffffffffb781126dcae7b2321e66a241adc64d2f",
  "0800000000000010ffffffffffffffffb781126dcae7b2321e66a241adc64d2e",
  "bip39 0 not a mnemonic",
  "bip39 x abandon",
  `\n${"7".repeat(64)}\n`,
  "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ",
]
const mnemonic = fc
  .record({ index: fc.integer({ min: 0, max: 999_999 }), again: fc.nat() })
  .map(({ index }) => formatMnemonic(createMnemonic(), index))
export const text = fc.oneof(
  ...[
    { arbitrary: hex, weight: 4 },
    { arbitrary: hex.map((key) => `0x${key.toUpperCase()}`), weight: 2 },
  ],
  ...[
    { arbitrary: fc.constantFrom(...edges), weight: 4 },
    { arbitrary: fc.string(), weight: 1 },
  ],
  ...[
    { arbitrary: fc.base64String(), weight: 1 },
    { arbitrary: fc.integer({ min: 1 }).map((n) => n.toString(16)), weight: 1 },
  ],
)

type Answer = { readonly account: string } | { readonly code: string; readonly message: string }

async function answer(read: () => string | Promise<string>): Promise<Answer> {
  try {
    return { account: await read() }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { code: error.code, message: error.message }
  }
}

/** Each property tries the edges first, then random texts and mnemonics. */
export async function compare(
  texts: fc.Arbitrary<string>,
  light: (key: Secret) => Promise<string>,
  judge: (key: Secret) => string,
): Promise<void> {
  const property = fc.asyncProperty(texts, async (written) => {
    const key = new Secret(written, "env:KEY")
    expect(await answer(() => light(key))).toEqual(await answer(() => judge(key)))
  })
  await fc.assert(property, { numRuns: 150, examples: edges.map((edge) => [edge]) })
  await fc.assert(
    fc.asyncProperty(mnemonic, async (written) => {
      const key = new Secret(written, "keystore:k.json")
      const found = await answer(() => light(key))
      expect(found).toEqual(await answer(() => judge(key)))
      expect(found).toHaveProperty("account")
    }),
    { numRuns: 4 },
  )
}
