import { describe, expect, test } from "vitest"
import { FAMILIES } from "#chains/families.ts"
import { foreignAddress, foreignName, refuseForeign } from "#chains/foreign-families.ts"
import { runBallast } from "../../support/e2e-cli.ts"
import { PUBLISHED } from "../../support/published-chains.ts"

const FAMILY_NAMES = new Set(FAMILIES.map(({ name }) => name))
const isOurs = ({ type, name }: { type: string; name: string }): boolean =>
  FAMILY_NAMES.has(type) && !name.startsWith("hypercore")
const addressesOf = (chains: typeof PUBLISHED): readonly string[] =>
  chains
    .flatMap(({ assets }) => assets.flatMap(({ token, htlc }) => [token, htlc]))
    .filter((one) => one !== null)

describe("the families that Ballast lacks", () => {
  test("match no chain and no address of ours in the published list", () => {
    const ours = PUBLISHED.filter(isOurs)
    expect(addressesOf(ours).length).toBeGreaterThan(60)
    expect(addressesOf(ours).filter((address) => foreignAddress(address) !== null)).toEqual([])
    expect(ours.filter(({ name }) => foreignName(name) !== null)).toEqual([])
  })

  test("are recognised by every asset id, and on Tron by every address, of the published list", () => {
    const foreign = PUBLISHED.filter((chain) => !isOurs(chain))
    expect(foreign.length).toBeGreaterThan(10)
    for (const { name, assets } of foreign)
      for (const id of [`${name}:x`, ...assets.map((asset) => asset.id)])
        expect(refuseForeign([id], [])).toMatchObject([{ code: "family.unsupported" }])
    const tron = addressesOf(foreign.filter(({ type }) => type === "tron"))
    expect(tron.length).toBeGreaterThan(4)
    for (const address of tron) expect(foreignAddress(address)).toContain("an address of Tron,")
  })

  test.each([
    ["ltc1qg42tkwuuxefutzxezdkdel39gfstuap288mfea", "Litecoin"],
    ["rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe", "XRPL"],
    [
      "lnbc1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdpl2pkx2ctnv5sxxmmwwd5kgetjypeh2ursdae8g6twvus8g6rfwvs8qun0dfjkxaq8rkx3yf5tcsyz3d73gafnh3cax9rn449d9p5uxz9ezhhypd0elx87sjle52x86fux2ypatgddc6k63n7erqz25le42c4u4ecky03ylcqca784w",
      "Lightning",
    ],
  ])("recognise %s", (address, family) => {
    expect(foreignAddress(address)).toContain(`an address of ${family},`)
  })

  test("are named by `ballast swap`, without a daemon and without a configuration", async () => {
    const { code, stderr } = await runBallast([
      "swap",
      "tron:usdt",
      "base:usdc",
      "1",
      "--config",
      "/nowhere.yaml",
    ])
    expect(code).toBe(1)
    expect(stderr).toContain("tron:usdt is of the chain family Tron")
    expect(stderr).toContain("[family.unsupported]")
  })
})
