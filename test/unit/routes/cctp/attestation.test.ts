import { concat, type Hex, keccak256, toHex } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { describe, expect, test } from "vitest"
import { checkAttestation, recoverAttesters } from "#routes/cctp/attestation.ts"
import { LIVE_ATTESTATION, LIVE_MESSAGE } from "./live-mint.ts"

const ACCOUNTS = [1n, 2n, 3n]
  .map((key) => privateKeyToAccount(toHex(key, { size: 32 })))
  .sort((a, b) => (BigInt(a.address) < BigInt(b.address) ? -1 : 1))
const MESSAGE: Hex = "0x1234"

async function sign(...signers: readonly number[]): Promise<Hex> {
  const hash = keccak256(MESSAGE)
  return concat(
    await Promise.all(
      signers.map(async (at) => {
        const signature = await ACCOUNTS[at]?.sign({ hash })
        return signature ?? "0x"
      }),
    ),
  )
}

const RULES = {
  threshold: 2,
  isEnabled: (attester: string) =>
    ACCOUNTS.slice(0, 2).some(({ address }) => address.toLowerCase() === attester),
}
const judge = (attestation: string): string =>
  checkAttestation(MESSAGE, attestation, RULES)
    .map(({ message }) => message)
    .join("; ")

describe("an attestation", () => {
  test("of a live mint gives two ordered attesters, and another message others", async () => {
    const attesters = recoverAttesters(LIVE_MESSAGE, LIVE_ATTESTATION)
    expect(attesters).toHaveLength(2)
    const isEnabled = (attester: string): boolean =>
      attesters?.some((one) => one === attester) === true
    const rules = { threshold: 2, isEnabled }
    expect(checkAttestation(LIVE_MESSAGE, LIVE_ATTESTATION, rules)).toEqual([])
    const altered: Hex = `${LIVE_MESSAGE.slice(0, -2)}2b` as Hex
    const found = recoverAttesters(altered, LIVE_ATTESTATION)
    expect(found?.some(isEnabled) ?? false).toBe(false)
  })

  test("by the enabled attesters in order passes", async () => {
    expect(judge(await sign(0, 1))).toBe("")
  })

  test.each([
    ["one signature too few", [0], "another number of signatures"],
    ["the wrong order", [1, 0], "not in the order"],
    ["the same attester twice", [0, 0], "not in the order"],
    ["a stranger", [0, 2], "not an attester"],
    ["one signature too many", [0, 1, 2], "another number of signatures"],
  ])("with %s is refused", async (_name, signers, why) => {
    expect(judge(await sign(...signers))).toContain(why)
  })

  test.each([
    ["PENDING"],
    ["0x"],
    ["0x12"],
    [`0x${"00".repeat(65)}`],
    [`0x${"00".repeat(65 * 65)}`],
  ])("%.20s is no list of signatures", async (attestation) => {
    expect(judge(attestation)).toContain("not a list of valid signatures")
  })

  test("with a mirrored signature is refused, as the contract does", async () => {
    const first = await sign(0)
    const second = await sign(1)
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const s = order - BigInt(`0x${second.slice(66, 130)}`)
    const v = second.endsWith("1b") ? "1c" : "1b"
    const mirrored: Hex = `0x${second.slice(2, 66)}${toHex(s, { size: 32 }).slice(2)}${v}`
    expect(judge(concat([first, mirrored]))).toContain("not a list of valid signatures")
  })
})
