import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { base58 } from "@scure/base"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { solanaContractReader } from "#chains/solana/identify-contract.ts"
import { mustExist } from "#lib/assert.ts"
import { type Address, urlOf } from "#nodes/address.ts"
import { createRpcCall } from "#nodes/ask-node.ts"
import type { LocalChain } from "#sandbox/local-chain.ts"
import { openSolana } from "../local-chains.ts"

let local: LocalChain
beforeAll(async () => {
  local = await openSolana()
})
afterAll(() => local.stop())

const ask = (method: string, params: unknown) => createRpcCall(local.url, post)(method, params)
async function post(url: Address, body: unknown): Promise<string> {
  const headers = { "content-type": "application/json" }
  return (await fetch(urlOf(url), { method: "POST", headers, body: JSON.stringify(body) })).text()
}
const accountAnswer = z.object({
  value: z.object({
    owner: z.string(),
    executable: z.boolean(),
    data: z.tuple([z.string(), z.literal("base64")]),
  }),
})
const program = () =>
  mustExist(
    local.assets.find(({ token }) => token === null)?.htlc,
    "the program of the native coin",
  )

describe("the identity of a Solana program", () => {
  test("is the hash of the deployed file, and its upgrade authority", async () => {
    const { program: hash, authority } = await solanaContractReader.readIdentity(ask, program())
    const file = readFileSync(
      join(import.meta.dirname, "../../../src/lab/sandbox/solana/program/htlc.so"),
    )
    const trimmed = file.subarray(0, file.findLastIndex((byte) => byte !== 0) + 1)
    expect(hash).toBe(createHash("sha256").update(trimmed).digest("hex"))
    expect(authority).toMatch(/^([1-9A-HJ-NP-Za-km-z]{32,44}|none)$/)
  })

  test(
    "changes with the upgrade authority and with one byte of the program, and not with the " +
      "zeros at its end",
    async () => {
      const before = await solanaContractReader.readIdentity(ask, program())
      const changed = (change: (programData: Buffer) => Buffer) =>
        solanaContractReader.readIdentity(async (method, params) => {
          const answer = accountAnswer.parse(await ask(method, params))
          const data = Buffer.from(answer.value.data[0], "base64")
          if (data.length < 100) return answer
          return { value: { ...answer.value, data: [change(data).toString("base64"), "base64"] } }
        }, program())
      const key = Buffer.alloc(32, 7)
      const other = await changed((data) =>
        Buffer.concat([data.subarray(0, 12), Buffer.from([1]), key, data.subarray(45)]),
      )
      expect(other).toEqual({ ...before, authority: base58.encode(key) })
      const final = await changed((data) =>
        Buffer.concat([data.subarray(0, 12), Buffer.alloc(33), data.subarray(45)]),
      )
      expect(final).toEqual({ ...before, authority: "none" })
      const patched = await changed((data) =>
        Buffer.concat([data.subarray(0, 60), Buffer.from([99]), data.subarray(61)]),
      )
      expect(patched["program"]).not.toBe(before["program"])
      expect(await changed((data) => Buffer.concat([data, Buffer.alloc(64)]))).toEqual(before)
    },
  )

  test("says that an account is no program", async () => {
    const nobody = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"
    expect(await solanaContractReader.readIdentity(ask, nobody)).toEqual({
      program: "none",
      authority: "none",
    })
    const { findings } = await solanaContractReader.inspect(ask, {
      htlc: nobody,
      token: null,
      decimals: 9,
    })
    expect(findings.map(({ code }) => code)).toEqual(["discover.not_a_contract"])
  })
})

describe("the inspection of a mint", () => {
  const mint =
    (decimals: number, length: number, owner: string) =>
    async (method: string, params: unknown) => {
      if (!JSON.stringify(params).includes(MINT)) return ask(method, params)
      const data = Buffer.alloc(length)
      data[44] = decimals
      return { value: { owner, executable: false, data: [data.toString("base64"), "base64"] } }
    }
  const MINT = "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU"
  const SPL = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
  const TOKEN_2022 = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"

  test.each([
    ["the listed decimals", mint(6, 82, SPL), []],
    ["other decimals", mint(9, 82, SPL), ["discover.decimals_differ"]],
    ["extensions of Token-2022", mint(6, 200, TOKEN_2022), ["discover.token_extensions"]],
    [
      "an account of another program",
      mint(6, 82, "11111111111111111111111111111111"),
      ["discover.wrong_token"],
    ],
  ])("finds %s", async (_name, node, expected) => {
    const { findings } = await solanaContractReader.inspect(node, {
      htlc: program(),
      token: MINT,
      decimals: 6,
    })
    expect(
      findings.map(({ code }) => code).filter((code) => code !== "discover.upgradeable"),
    ).toEqual(expected)
  })
})
