import { readdirSync, readFileSync } from "node:fs"
import { type Abi, encodeEventTopics, parseAbi, toEventSelector, toFunctionSelector } from "viem"
import { describe, expect, test } from "vitest"
import artifacts from "./contracts/artifacts.json" with { type: "json" }
import { hashSource } from "./hash-source.ts"
import { htlcAbi } from "./htlc-abi.ts"
import { tokenAbi } from "./token-abi.ts"

const folder = new URL("./contracts/", import.meta.url)
// CAST: the compiler writes an ABI; the type of the JSON import is too wide.
const compiled = (name: "Htlc" | "NativeHtlc" | "Token"): Abi => artifacts.contracts[name].abi as Abi

/** The selector or topic of every function and event by name. */
function selectors(abi: Abi): Record<string, string> {
  const entries = abi.flatMap((item) => {
    if (item.type === "function") return [[item.name, toFunctionSelector(item)]]
    return item.type === "event" ? [[item.name, toEventSelector(item)]] : []
  })
  return Object.fromEntries(entries)
}

describe("the compiled contracts", () => {
  test("match the hashes of their sources (after a change run compile.ts)", () => {
    const names = readdirSync(folder).filter((name) => name.endsWith(".sol"))
    const hashes = names.map((name) => [name, hashSource(readFileSync(new URL(name, folder), "utf8"))])
    expect(artifacts.sources).toEqual(Object.fromEntries(hashes))
  })

  test("have the selectors of live HTLCs", () => {
    expect(selectors(compiled("Htlc"))).toMatchObject({
      initiate: "0x97ffc7ae",
      initiateWithSignature: "0xd4705e9e",
      redeem: "0xf7ff7207",
      refund: "0x7249fbb6",
      instantRefund: "0xedaf5fac",
    })
  })

  test("have the events of live HTLCs with the same indexed fields", () => {
    const live = parseAbi([
      "event Initiated(bytes32 indexed orderID, bytes32 indexed secretHash, uint256 amount)",
      "event Redeemed(bytes32 indexed orderID, bytes32 indexed secretHash, bytes secret)",
      "event Refunded(bytes32 indexed orderID)",
    ])
    for (const event of live) {
      for (const name of ["Htlc", "NativeHtlc"] as const) {
        const ours = compiled(name).find((item) => item.type === "event" && item.name === event.name)
        expect(ours).toMatchObject({ inputs: event.inputs.map(({ name: input, type }) => ({ name: input, type })) })
        expect(encodeEventTopics({ abi: compiled(name), eventName: event.name })).toEqual([toEventSelector(event)])
        const indexed = (item: unknown): unknown => JSON.parse(JSON.stringify(item)).inputs.map(isIndexed)
        expect(indexed(ours)).toEqual(indexed(event))
      }
    }
  })

  test("match the ABI of the sandbox", () => {
    const errors = (abi: Abi): string[] => abi.flatMap((item) => (item.type === "error" ? [item.name] : [])).sort()
    expect(selectors(compiled("Htlc"))).toEqual(selectors(htlcAbi))
    const { initiateWithSignature: _, ...native } = selectors(htlcAbi)
    expect(selectors(compiled("NativeHtlc"))).toEqual(native)
    expect(selectors(compiled("Token"))).toMatchObject(selectors(tokenAbi))
    const all = [...compiled("Htlc"), ...compiled("NativeHtlc"), ...compiled("Token")]
    expect(errors(htlcAbi)).toEqual([...new Set(errors(all))])
  })
})

function isIndexed(input: { indexed?: boolean }): boolean {
  return input.indexed === true
}
