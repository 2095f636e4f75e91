import { expect, test } from "vitest"
import { AppError } from "#lib/app-error.ts"
import { readProxyVariables } from "#nodes/proxy-variables.ts"

const read = (env: Readonly<Record<string, string>>) => {
  const { http, https, names } = readProxyVariables(env)
  return [http, https, names]
}

test.each([
  ["none", {}, ["", "", ""]],
  ["large letters", { HTTP_PROXY: "http://a:1" }, ["http://a:1", "http://a:1", ""]],
  ["small letters first", { HTTP_PROXY: "http://a:1", http_proxy: "http://b:2" }, "http://b:2"],
  ["an empty small one is none", { HTTP_PROXY: "http://a:1", http_proxy: "" }, ""],
  ["no scheme", { http_proxy: "proxy:3128" }, "http://proxy:3128"],
  ["a login and no scheme", { http_proxy: "u:p%40@proxy:3128" }, "http://u:p%40@proxy:3128"],
  ["TLS to the proxy", { http_proxy: "https://p:1" }, "https://p:1"],
  ["spaces around it", { http_proxy: " http://p:1 " }, "http://p:1"],
  [
    "one for TLS",
    { HTTP_PROXY: "http://a:1", https_proxy: "http://b:2", NO_PROXY: "*.x, .y:80\tz" },
    ["http://a:1", "http://b:2", "*.x,.y:80,z"],
  ],
] as const)("reads %s", (_what, env, expected) => {
  expect(typeof expected === "string" ? read(env)[0] : read(env)).toEqual(expected)
})

test.each([
  ["HTTP_PROXY", "socks5://p:1", "not socks5"],
  ["HTTPS_PROXY", "ftp://p", "not ftp"],
  ["http_proxy", "http://", "not the URL"],
  ["http_proxy", "http://u:p%zz@p:1", "%25"],
  ["http_proxy", "http://p:99999", "not the URL"],
  ["NO_PROXY", "10.0.0.0/33", "no network"],
  ["no_proxy", "fd00::/129", "no network"],
  ["no_proxy", "intern/8", "no network"],
  ["no_proxy", "10.0.0.0/", "no network"],
])("refuses %s=%s", (name, value, why) => {
  const refused = (() => {
    try {
      return readProxyVariables({ [name]: value })
    } catch (error) {
      return error
    }
  })()
  expect(refused).toBeInstanceOf(AppError)
  expect(refused).toMatchObject({ code: "config.proxy", disposition: "fatal" })
  // CAST: as expected above.
  const { message } = refused as AppError
  expect(message).toContain(name)
  expect(message).toContain(why)
})

test("a network of NO_PROXY is one of addresses, not of names that look alike", () => {
  const { isDirect } = readProxyVariables({ no_proxy: "10.0.0.0/8 192.168.1.7" })
  const asked = ["10.255.0.1", "11.0.0.1", "10.0.0.1.example", "192.168.1.7", "192.168.1.70"]
  expect(asked.map(isDirect)).toEqual([true, false, false, true, false])
})
