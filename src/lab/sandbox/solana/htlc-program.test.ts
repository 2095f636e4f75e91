import { PublicKey } from "@solana/web3.js"
import { expect, it } from "vitest"
import { discriminator, htlcProgram } from "./htlc-program.ts"

it("forms the discriminator of initiate that live deployments use", () => {
  expect([...discriminator("initiate")]).toEqual([5, 63, 123, 113, 153, 75, 148, 14])
})

it("derives a published swap account address and reads its instruction back", () => {
  const program = new PublicKey("2bag6xpshpvPe7SJ9nSDLHpxqhEAoHPGpEkjNSv7gxoF")
  const initiator = new PublicKey("YH4btvqb4JBWSEJh22MuA231ekpJ5JqbBXQY1apJtKH")
  const secretHash = Buffer.from(
    "b8841dc97c588ab9e1b94f62627b97d54f8c1048b28c26749d413032e9d66c4e",
    "hex",
  )
  const redeemer = new PublicKey("5aYv3mxzXupjUa6Yyi23Yn3n1kbgGEDfrJ6uBDq6VwQo")
  const terms = { units: 354_608_265n, slots: 216_000n, redeemer, secretHash }
  const { keys, data } = htlcProgram.initiate(program, initiator, terms)
  expect(keys[0]?.pubkey.toBase58()).toBe("D3w1CxCk4dDEasnfjMbqSUKcNVGFfQeAtfh7XE69CFau")
  expect(data.toString("hex")).toBe(
    "053f7b71994b940e89e4221500000000c04b03000000000044070018cffb963a80cb5bf8974e0d64934c614d26340d947ddf3b762a014cacb8841dc97c588ab9e1b94f62627b97d54f8c1048b28c26749d413032e9d66c4e",
  )
  expect(htlcProgram.read(data)).toEqual({ kind: "initiate", terms })
})

it("reads no instruction from other data", () => {
  expect(htlcProgram.read(Buffer.alloc(88))).toBeNull()
  expect(htlcProgram.read(discriminator("redeem"))).toBeNull()
})
