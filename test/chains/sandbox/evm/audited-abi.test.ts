import { readFileSync } from "node:fs"
import { runInNewContext } from "node:vm"
import { type Abi, toEventSelector, toFunctionSelector } from "viem"
import { describe, expect, test } from "vitest"
import { decodeRevert } from "#chains/evm/decode-revert.ts"
import { htlcAbi } from "#chains/evm/htlc.ts"
import { TOPICS } from "#chains/evm/legs/read-htlc-logs.ts"
import artifacts from "#sandbox/evm/contracts/artifacts.json" with { type: "json" }
import { AUDITED_ARBITRUM_ERRORS, AUDITED_HTLC, AUDITED_NATIVE_HTLC } from "./audited-abi.ts"

// CAST: the compiler writes an ABI; the type of the JSON import is too wide.
const compiled = (name: keyof typeof artifacts.contracts): Abi =>
  artifacts.contracts[name].abi as Abi

type Item = Abi[number]
type Named = Extract<Item, { type: "error" | "event" | "function" }>

/** One member in the notation of the table. */
function describeMember(item: Named): string {
  const inputs = item.inputs.map(describeParameter).join(", ")
  if (item.type === "event") return `${toEventSelector(item)} event ${item.name}(${inputs})`
  if (item.type === "error") {
    const call = {
      type: "function",
      name: item.name,
      inputs: item.inputs,
      outputs: [],
      stateMutability: "view",
    } as const
    return `${toFunctionSelector(call)} error ${item.name}(${inputs})`
  }
  const mutability = item.stateMutability === "nonpayable" ? "" : ` ${item.stateMutability}`
  const outputs =
    item.outputs.length === 0 ? "" : ` returns (${item.outputs.map(describeParameter).join(", ")})`
  return `${toFunctionSelector(item)} function ${item.name}(${inputs})${mutability}${outputs}`
}

type Parameter = {
  readonly type: string
  readonly name?: string | undefined
  readonly indexed?: boolean | undefined
}

function describeParameter({ type, indexed, name }: Parameter): string {
  return [type, indexed === true ? "indexed" : "", name ?? ""]
    .filter((word) => word !== "")
    .join(" ")
}

function isNamed(item: Item): item is Named {
  return item.type === "error" || item.type === "event" || item.type === "function"
}

function describeAll(abi: Abi): string[] {
  return abi.filter(isNamed).map(describeMember).sort()
}

describe("the sandbox's contracts of version 3", () => {
  test("have every member of the audited contracts, and no other", () => {
    expect(describeAll(compiled("HtlcV3"))).toEqual(AUDITED_HTLC.toSorted())
    expect(describeAll(compiled("NativeHtlcV3"))).toEqual(AUDITED_NATIVE_HTLC.toSorted())
  })
})

describe("the port's own ABI", () => {
  const audited = [...AUDITED_HTLC, ...AUDITED_NATIVE_HTLC].map((line) => line.split(" ")[0])
  const ONLY_VERSION_1 = "initiateWithSignature(address,uint256,uint256,bytes32,bytes)"

  test("has only functions of the audited contracts, besides the relayed initiation of version 1", () => {
    const functions = htlcAbi
      .filter((item) => item.type === "function")
      .map((item) => toFunctionSelector(item))
    expect(functions.filter((selector) => !audited.includes(selector))).toEqual([
      toFunctionSelector(ONLY_VERSION_1),
    ])
  })

  test("knows the topics of every event that moves funds", () => {
    const events = AUDITED_HTLC.filter(
      (line) => line.includes(" event ") && !line.includes("EIP712DomainChanged"),
    )
    expect(Object.values(TOPICS).toSorted()).toEqual(
      events.map((line) => line.split(" ")[0]).toSorted(),
    )
  })

  test("names every error of the four contracts", () => {
    const lines = [...AUDITED_HTLC, ...AUDITED_NATIVE_HTLC, ...AUDITED_ARBITRUM_ERRORS]
    const errors = lines.filter((line) => line.includes(" error ") && line.includes("HTLC__"))
    expect(errors).toHaveLength(14 + 13 + 14 + 13)
    for (const line of errors) {
      const [selector = "", , name] = line.split(" ")
      expect(decodeRevert(selector)).toBe(name)
    }
  })
})

/**
 * The type declarations of the published client hold its two EVM ABIs as literal types. They are
 * older than version 3.
 */
function readClientAbi(file: string): Abi {
  const url = new URL(
    `../../../../node_modules/@gardenfi/core/dist/src/lib/evm/abi/${file}.d.ts`,
    import.meta.url,
  )
  const [, literal = ""] = readFileSync(url, "utf8").split(/export declare const \w+: readonly /)
  const script = literal.trim().replace(/;$/, "").replaceAll("readonly ", "").replaceAll(";", ",")
  // CAST: an ABI by its own declaration; the tests below fail on anything else.
  return JSON.parse(JSON.stringify(runInNewContext(`(${script})`))) as Abi
}

describe("the published client's ABI", () => {
  const token = readClientAbi("atomicSwap")
  const native = readClientAbi("nativeHTLC")
  const without = (abi: Abi, ...names: string[]): string[] =>
    describeAll(abi.filter((item) => !isNamed(item) || !names.includes(item.name)))
  const pick = (abi: Abi, ...names: string[]): string[] =>
    describeAll(abi.filter((item) => isNamed(item) && names.includes(item.name)))

  test("has the functions that the client calls, and version 3 has the same", () => {
    const ofToken = pick(token, "initiate", "eip712Domain")
    expect(ofToken).toHaveLength(2)
    expect(describeAll(compiled("HtlcV3"))).toEqual(expect.arrayContaining(ofToken))
    const ofNative = pick(native, "initiate")
    expect(ofNative).toHaveLength(1)
    expect(describeAll(compiled("NativeHtlcV3"))).toEqual(expect.arrayContaining(ofNative))
  })

  test("is version 1 of the sandbox's contract for tokens, without `multicall`", () => {
    // The sandbox's older contracts have the extra errors of their common base, and no constructor
    // arguments for the domain.
    const errors = ["InvalidShortString", "StringTooLong"]
    expect(without(compiled("HtlcV1"), ...errors)).toEqual(without(token, "multicall", ...errors))
    expect(pick(token, "multicall")).toHaveLength(1)
  })

  test("is version 1 and 2 of the sandbox's contract for native coins", () => {
    expect(describeAll(compiled("NativeHtlcV1"))).toEqual(describeAll(native))
    expect(describeAll(compiled("NativeHtlcV2"))).toEqual(describeAll(native))
  })
})
