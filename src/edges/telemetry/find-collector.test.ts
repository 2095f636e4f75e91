import { expect, test } from "vitest"
import { Secret } from "#lib/secret.ts"
import { findCollector } from "./find-collector.ts"

const HOST = "http://collector:4318"

test.each([
  ["nothing", null, {}, null],
  ["the configuration", HOST, {}, `${HOST}/v1/traces`],
  ["both", HOST, { OTEL_EXPORTER_OTLP_ENDPOINT: "http://other:1" }, `${HOST}/v1/traces`],
  ["a base", null, { OTEL_EXPORTER_OTLP_ENDPOINT: `${HOST}/base` }, `${HOST}/base/v1/traces`],
  [
    "an endpoint of traces",
    null,
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: HOST,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${HOST}/custom`,
    },
    `${HOST}/custom`,
  ],
  ["an empty variable", null, { OTEL_EXPORTER_OTLP_ENDPOINT: "" }, null],
  ["no URL", null, { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317" }, null],
])("%s says where traces go", (_name, otlp, env, url) => {
  const secret = otlp === null ? null : new Secret(otlp, "test")
  const found = findCollector(secret, env)
  expect(found === null ? null : `${found.base.reveal()}${found.path}`).toBe(url)
})

test("headers come from both variables, and one that would break the request is left out", () => {
  const found = findCollector(new Secret(HOST, "test"), {
    OTEL_EXPORTER_OTLP_HEADERS: "api-key=a%20b, X-Team=desk,broken,evil=a%0Ab",
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: "x-team=traces,rate=100%",
  })
  expect(found?.headers).toEqual({ "api-key": "a b", "x-team": "traces", rate: "100%" })
})
