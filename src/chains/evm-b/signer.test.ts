import { expect, test } from "vitest"
import { Secret } from "#lib/secret.ts"
import { createSigner } from "./signer.ts"

test("opens a key with or without prefix to its checksummed address", () => {
  // The first of the well-known test accounts of hardhat and anvil.
  const digits = "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
  const accounts = [digits, `0x${digits}`, ` 0x${digits}\n`].map((text) => createSigner(new Secret(text, "x")).account)
  expect(accounts).toEqual(Array(3).fill("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"))
})

test("does not open a bad key, and does not repeat it", () => {
  for (const bad of ["0x1234", "hunter2", `0x${"00".repeat(32)}`, `0x${"ff".repeat(32)}`]) {
    const open = () => createSigner(new Secret(bad, "env:EVM_KEY"))
    expect(open).toThrowError(expect.objectContaining({ code: "config.key", disposition: "fatal" }))
    expect(open).not.toThrowError(bad)
  }
})
