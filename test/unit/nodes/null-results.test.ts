import { createServer } from "node:http"
import { afterAll, expect, test } from "vitest"
import { evmDialect } from "../../../src/edges/chains/evm/nodes/dialect.ts"
import { postCall } from "../../../src/edges/nodes/json-rpc.ts"
import { listen, stopServer } from "../../support/listen.ts"

const server = createServer((_request, response) =>
  response.end('{"jsonrpc":"2.0","id":1,"result":null}'),
)
const { url } = await listen(server)
afterAll(() => stopServer(server))

const ask = (method: string) =>
  postCall(evmDialect, {
    address: { url, headers: {}, maxRequestsPerSecond: null },
    timeoutMs: 2_000,
    method,
    params: [],
  })

test("a balance of null is a failed read, and a block of null is one that is not there", async () => {
  await expect(ask("eth_getBalance")).rejects.toMatchObject({
    code: "evm.nonsense",
    details: { found: "its result is null" },
  })
  await expect(ask("eth_getTransactionReceipt")).resolves.toBeNull()
})
