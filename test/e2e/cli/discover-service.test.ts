import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { runBallast } from "../../support/e2e-cli.ts"
import { replies, type Stub, startStub } from "../../support/service-stub.ts"

let stub: Stub
beforeAll(async () => {
  stub = await startStub()
})
beforeEach(() => {
  stub.answer = (request, response) => {
    const knows = request.headers["x-deployment-id"] === "mine"
    const list = request.url.endsWith("/policy") ? { default: "open" } : []
    replies(knows ? 200 : 401, JSON.stringify({ status: knows ? "Ok" : "Error", result: list }))(
      request,
      response,
    )
  }
})
afterAll(() => stub.stop())

test("discover sends the app id under the header of the deployment", async () => {
  const asked = ["discover", "--service", stub.url, "--app-id", "mine"]
  const known = await runBallast([...asked, "--app-id-header", "x-deployment-id"])
  expect(known).toMatchObject({ code: 1, stderr: expect.stringContaining("lists no chains") })
  const unknown = await runBallast(asked)
  expect(unknown.stderr).toContain("check app_id and app_id_header [service.app_id]")
})
