import { readdirSync, readFileSync } from "node:fs"
import { type Abi, toFunctionSelector } from "viem"
import { describe, expect, test } from "vitest"
import artifacts from "./contracts/artifacts.json" with { type: "json" }
import { hashSource } from "./hash-source.ts"
import { CONTRACTS, currentAbi, htlcAbi, olderAbi } from "./htlc-abi.ts"
import { tokenAbi } from "./token-abi.ts"

const folder = new URL("./contracts/", import.meta.url)
// CAST: the compiler writes an ABI; the type of the JSON import is too wide.
const compiled = (name: keyof typeof artifacts.contracts): Abi =>
  artifacts.contracts[name].abi as Abi

function functionsOf(abi: Abi): string[] {
  return abi.flatMap((item) => (item.type === "function" ? [toFunctionSelector(item)] : [])).sort()
}

/** `test/chains/sandbox/evm/audited-abi.test.ts` compares them with live contracts. */
describe("the compiled contracts", () => {
  test("match the hashes of their sources (after a change run compile.ts)", () => {
    const names = readdirSync(folder).filter((name) => name.endsWith(".sol"))
    const hashes = names.map((name) => [
      name,
      hashSource(readFileSync(new URL(name, folder), "utf8")),
    ])
    expect(artifacts.sources).toEqual(Object.fromEntries(hashes))
  })

  test("have every function and every error that the sandbox's ABI names", () => {
    const all = Object.values(CONTRACTS).flatMap(({ token, native }) => [
      ...compiled(token),
      ...compiled(native),
    ])
    const errors = (abi: Abi): string[] =>
      abi.flatMap((item) => (item.type === "error" ? [item.name] : [])).sort()
    expect(functionsOf(all)).toEqual(expect.arrayContaining(functionsOf(htlcAbi)))
    expect(errors(htlcAbi)).toEqual([...new Set(errors([...all, ...compiled("Token")]))])
    expect(functionsOf(compiled("Token"))).toEqual(expect.arrayContaining(functionsOf(tokenAbi)))
  })

  test("have the layouts of orders and of Initiated that the sandbox reads", () => {
    const shapes = (abi: Abi): unknown =>
      abi.flatMap((item): readonly unknown[] => {
        if (item.type === "function" && item.name === "orders")
          return [item.outputs.map(({ name }) => name)]
        if (item.type !== "event" || item.name !== "Initiated") return []
        return [item.inputs.map(({ indexed }) => indexed === true)]
      })
    for (const [version, { token, native }] of Object.entries(CONTRACTS)) {
      const abi = version === "v3" ? currentAbi : olderAbi
      for (const name of [token, native]) expect(shapes(compiled(name))).toEqual(shapes(abi))
    }
  })
})
