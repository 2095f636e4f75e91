import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, expect, test, vi } from "vitest"
import { advisePostgres, nameFile } from "#nodes/advise-postgres.ts"
import { describePage, describeRefusal } from "#nodes/describe-page.ts"
import { describeFailure } from "#nodes/exchange.ts"
import { refuseNodeVariables } from "#nodes/node-variables.ts"
import { findProxy } from "#nodes/open-network.ts"

afterEach(() => vi.unstubAllEnvs())

const coded = (code: string, message = code): Error => Object.assign(new Error(message), { code })
const proxied = (error: Error): Error => Object.assign(error, { proxy: "10.0.0.1:3128" })

test.each([
  [proxied(coded("ECONNREFUSED")), /refused \(ECONNREFUSED\), through the proxy 10.0.0.1:3128$/],
  [coded("ECONNREFUSED"), /^the connection is refused \(ECONNREFUSED\)$/],
  [
    proxied(new Error("Proxy response (403) !== 200 when HTTP Tunneling")),
    /^the proxy answers HTTP 403/,
  ],
  [
    proxied(coded("UND_ERR_INVALID_ARG", "Proxy Authentication Required (407)")),
    /^the proxy wants user and password \(HTTP 407\)$/,
  ],
  [
    new Error(describeFailure(coded("UNABLE_TO_VERIFY_LEAF_SIGNATURE"))),
    /not known here \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)$/,
  ],
  [coded("ENETUNREACH"), /^there is no way to the host/],
  [coded("ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION"), /only an old version of TLS/],
  [
    coded("ETLS", "Error upgrading connection with STARTTLS"),
    /does not change to TLS \(STARTTLS\)/,
  ],
])("%s is told in the words of its way", (error, words) => {
  expect(describeFailure(error)).toMatch(words)
})

test.each([
  ["https://node.example/key", "10.0.0.1:3128"],
  ["http://node.example/", null],
  ["https://inside.corp.example/", null],
  ["https://10.1.2.3/", null],
  ["https://127.0.0.1:8545/", null],
])("the proxy of %s is %s", (url, proxy) => {
  for (const name of ["HTTP_PROXY", "http_proxy", "https_proxy", "no_proxy"])
    vi.stubEnv(name, undefined)
  vi.stubEnv("HTTPS_PROXY", "http://me:secret@10.0.0.1:3128")
  vi.stubEnv("NO_PROXY", ".corp.example, 10.0.0.0/8")
  expect(findProxy(url)).toBe(proxy)
})

test.each([
  ["<html><head><TITLE>\n Just a  moment... </TITLE>", 'a web page "Just a moment..."'],
  ["  <!doctype html><body>", "a web page"],
  ["<title></title>", "a web page"],
  [`<title>${"x".repeat(200)}</title>`, `a web page "${"x".repeat(60)}"`],
  ['{"a":"<title>x</title>"}', null],
  ["", null],
])("%j is %s", (text, words) => {
  expect(describePage(text, (shown) => shown)).toBe(words)
})

test.each([
  ['{"error":"IP is not on the allowlist"}', "IP is not on the allowlist"],
  ['{"jsonrpc":"2.0","error":{"code":-32000,"message":"no\\nplan"}}', "no plan"],
  ['{"error":null,"message":"gone","detail":"x"}', "gone"],
  ['{"detail":{"error":["a"]}}', null],
  ["invalid host specified\n", "invalid host specified"],
  ['{"error":"the key s\\u0065cret is unknown"}', "the key … is unknown"],
  ["x".repeat(200), "x".repeat(100)],
  ["x".repeat(5_000), null],
  ["", null],
])("the refusal %j says %s", (text, words) => {
  const found = describeRefusal(text, (shown) => shown.replaceAll("secret", "..."))
  expect(found).toBe(words?.replace("…", "...") ?? null)
})

const dir = mkdtempSync(join(tmpdir(), "ballast-variables-"))
const written = (name: string, text: string): string => {
  writeFileSync(join(dir, name), text)
  return join(dir, name)
}

test.each([
  [{ NODE_TLS_REJECT_UNAUTHORIZED: "0" }, /turns off the check of certificates/],
  [{ NODE_EXTRA_CA_CERTS: join(dir, "none") }, /cannot be read \(ENOENT\); correct the path/],
  [{ NODE_EXTRA_CA_CERTS: dir }, /cannot be read \(EISDIR\)/],
  [{ NODE_EXTRA_CA_CERTS: written("der", "0\x82") }, /has no certificate in PEM/],
  [{ NODE_OPTIONS: "--no-warnings --inspect=0.0.0.0:9229" }, /--inspect.*can read the keys/],
  [{ NODE_OPTIONS: "--inspect-brk" }, /--inspect/],
])("%j is refused", (env, words) => {
  expect(() => refuseNodeVariables(env, false)).toThrow(words)
})

test.each([
  [{}, false],
  [{ NODE_TLS_REJECT_UNAUTHORIZED: "1" }, false],
  [{ NODE_OPTIONS: "--inspect-port=9229" }, false],
  [{ NODE_OPTIONS: "--inspect" }, true],
  [{ NODE_EXTRA_CA_CERTS: written("pem", "-----BEGIN CERTIFICATE-----") }, false],
])("%j is taken (with public keys: %s)", (env, isPlay) => {
  expect(() => refuseNodeVariables(env, isPlay)).not.toThrow()
})

test("a file that the URL of PostgreSQL names is told by its key", () => {
  const url = "postgres://b@127.0.0.1/b?sslmode=verify-full&sslrootcert=/etc/missing.pem"
  const told = "ENOENT: no such file or directory, open '/etc/missing.pem'"
  expect(nameFile(told, url)).toBe(`the file of sslrootcert in the URL of journal: ${told}`)
  expect(advisePostgres(nameFile(told, url))).toMatch(/write the file/)
  expect(nameFile("connection refused", url)).toBe("connection refused")
})
