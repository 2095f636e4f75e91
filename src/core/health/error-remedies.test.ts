import { expect, test } from "vitest"
import { type Peer, remedyOfError, remedyOfErrors } from "./error-remedies.ts"

const LOGIN = "Invalid login: 535 5.7.8 Error: authentication failed (EAUTH)"
const OTHER_NAME = "the TLS certificate is that of another host (ERR_TLS_CERT_ALTNAME_INVALID)"

test.each([
  ["node", "HTTP 403 (a web page)", /firewall.*not our key.*admit/],
  ["node", "HTTP 403", /Renew the key/],
  ["node", "HTTP 403 (origin IP is not on the allowlist)", /this machine's address/],
  ["node", "HTTP 403 (invalid host specified)", /http\.vhosts/],
  ["service", "HTTP 403 (your IP is not whitelisted)", /app_id is not wrong.*machine's address/],
  ["price", "HTTP 401 (IP 10.0.0.1 is not allowed)", /machine's address.*prices\.sources/],
  ["receiver", "HTTP 403 (white-list)", /its address is right/],
  ["node", "eth_chainId: Must be authenticated!", /Renew the key/],
  ["node", "eth_chainId: API key is not allowed to access blockchain", /Renew the key/],
  ["node", "eth_chainId: project is suspended, please update your billing", /Pay the provider/],
  ["node", "HTTP 426", /Correct the URL/],
  ["node", "the connection is refused (ECONNREFUSED), through the proxy a:1", /HTTPS_PROXY/],
  ["service", "no complete answer within 8000 ms, through the proxy a:1", /HTTPS_PROXY/],
  ["service", "the proxy answers HTTP 403 and opens no way to the host", /NO_PROXY/],
  ["service", "the proxy wants user and password (HTTP 407)", /USER:PASSWORD@/],
  ["node", "there is no way to the host (EHOSTUNREACH)", /routes, firewall and IPv6/],
  ["node", "it speaks old TLS (ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION)", /TLS 1.2/],
  ["node", 'HTTP 400 (a web page "The plain HTTP request was sent to HTTPS port")', /https:/],
  ["service", "the status of its answer is not Ok; it says: app not found", /app_id/],
  ["price", "a.example: no time at at", /time_path/],
  ["receiver", "the mail server does not change to TLS (STARTTLS) (ETLS)", /tls and port/],
  ["receiver", "0A00010B:SSL routines:wrong version number:tlsany.c (ESOCKET)", /tls and port/],
  ["price", "a.example: HTTP 418", /is not wrong/],
  ["receiver", "HTTP 413 too large", /too large for the receiver/],
  ["node", "connect EMFILE 10.0.0.1:8545 - Local (undefined:undefined)", /LimitNOFILE/],
  ["service", "a limit (rate limit exceeded, retry in 60s)", /limits our requests.*operator/],
  ["node", OTHER_NAME, /Correct the URL/],
  ["node", "Response does not match the HTTP/1.1 protocol (Expected HTTP/)", /Correct the URL/],
  ["node", "getSlot: Node is behind by 5000 slots", null],
  ["service", "HTTP 403 (a web page)", /firewall.*not our app_id/],
  ["service", "HTTP 403 (unknown app)", /app_id_header/],
  ["service", "HTTP 404", /Check the url/],
  ["service", "HTTP 402", /operator/],
  ["service", "the connection broke (ECONNRESET)", null],
  ["price", "No fresh reference price of a: b: HTTP 401; check prices.sources", /Renew the key/],
  ["price", "a.example: HTTP 451", /closed to our country/],
  ["price", "a.example: rate limited until 09:30", /is not wrong/],
  ["price", "a.example: nothing at price", null],
  ["receiver", "HTTP 429 slow down", /its address is right/],
  ["receiver", "Invalid greeting: 421 4.7.0 Too many connections (EPROTOCOL)", /is right/],
  ["node", "HTTP 403 (not available in your country)", /closed to our country/],
  ["service", "HTTP 403 (not available in your region)", /not admit.*not wrong/],
  ["service", "HTTP 403 (address is not eligible)", /not admit.*not wrong/],
  ["service", "HTTP 409 (duplicate nonce)", /operator/],
  ["node", "daily request count exceeded", /buy more requests/],
  ["price", 'No fresh reference price of quota_chain:eth: "" at price is no price', null],
  ["receiver", "HTTP 410 channel_is_archived", /Open the channel/],
  ["receiver", 'HTTP 200 {"ok":false,"description":"need administrator rights"}', /Give the bot/],
  ["receiver", "HTTP 400 group chat was upgraded to a supergroup chat", /new one/],
  ["receiver", "HTTP 404 channel_not_found", /Open the channel/],
  ["receiver", "all recipients were rejected: 451 4.7.1 Greylisted, try later", /sends again/],
  ["receiver", LOGIN, /user and password/],
  ["receiver", "the name of the host is not known (DNS) (ENOTFOUND)", /host name/],
] as const satisfies readonly (readonly [Peer, string, RegExp | null])[])(
  "the error of a %s, %s, has its own next step",
  (peer, words, todo) => {
    const found = remedyOfError(words, peer)
    if (todo === null) expect(found).toBeNull()
    else expect(found?.todo).toMatch(todo)
  },
)

test("several endpoints have one next step only where their errors have one", () => {
  const limit = remedyOfError("HTTP 429", "node")
  expect(remedyOfErrors(["HTTP 429", "rate limited until 09:30"], "node")).toBe(limit)
  expect(remedyOfErrors(["HTTP 429", "HTTP 401"], "node")).toBeNull()
  expect(remedyOfErrors([], "node")).toBeNull()
})
