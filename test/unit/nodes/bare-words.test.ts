import { expect, test } from "vitest"
import { createRpcCall } from "#nodes/ask-node.ts"

const KEY = "a-key-of-the-desk"
const call = (answer: unknown) =>
  createRpcCall(`https://node.example/${KEY}`, async () => JSON.stringify(answer))(
    "eth_chainId",
    [],
  )

test.each([
  { message: "API key expired" },
  { status: "fail", message: "API key expired" },
  { error: null, message: "API key expired" },
  { error: { message: "API key expired" } },
])("the words of an answer that is no result are shown: %j", async (answer) => {
  await expect(call(answer)).rejects.toThrow(/API key expired/)
})

test("the words of a gateway are shown without our key", async () => {
  const failed = await call({ message: `${KEY} is not known` }).catch(String)
  expect(failed).toContain("is not known")
  expect(failed).not.toContain(KEY)
})

test("a result with a message beside it is a result", async () => {
  await expect(call({ result: "0x1", message: "fine" })).resolves.toBe("0x1")
})
