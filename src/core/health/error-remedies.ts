export type Remedy = { readonly todo: string; readonly command: string }

/** Whose error it is: the next step names the setting of that server. */
export type Peer = "node" | "service" | "price" | "receiver"

/**
 * The next step after the words of an error, whichever server gave it; `null` where they do not
 * tell one. Pure.
 */
export function remedyOfError(words: string | null, peer: Peer): Remedy | null {
  const kinds = KINDS.filter(({ pattern }) => pattern.test(words ?? ""))
  const [first = null] = kinds.flatMap(({ kind }) => SHARED[kind] ?? REMEDIES[peer][kind] ?? [])
  return first
}

/** The same step for all of them, or `null`. Pure. */
export function remedyOfErrors(words: readonly (string | null)[], peer: Peer): Remedy | null {
  const [first = null, ...others] = words.map((one) => remedyOfError(one, peer))
  return others.every((one) => one === first) ? first : null
}

type ErrorKind =
  | "proxy-login"
  | "proxy"
  | "files"
  | "route"
  | "old-tls"
  | "scheme"
  | "time-path"
  | "starttls"
  | "certificate-time"
  | "certificate-issuer"
  | "certificate-name"
  | "client-certificate"
  | "listed"
  | "host-name"
  | "wall"
  | "chat"
  | "rights"
  | "patience"
  | "channel"
  | "region"
  | "key"
  | "payment"
  | "limit"
  | "size"
  | "place"
  | "name"
  | "failure"

/** The first that fits counts. */
const KINDS: readonly { readonly kind: ErrorKind; readonly pattern: RegExp }[] = [
  { kind: "proxy-login", pattern: /the proxy wants user and password/ },
  { kind: "proxy", pattern: /the proxy answers HTTP/ },
  {
    kind: "proxy",
    pattern: /(\bE(CONN|NOTFOUND|AI_|\w+UNREACH|TIMED)|UND_ERR_|no \w+ answer).*through the proxy/,
  },
  { kind: "files", pattern: /\bE[MN]FILE\b/ },
  { kind: "route", pattern: /\b(EHOSTUNREACH|ENETUNREACH|ENETDOWN)\b/ },
  { kind: "old-tls", pattern: /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/ },
  { kind: "scheme", pattern: /plain HTTP request.* HTTPS|HTTP request to an HTTPS/i },
  { kind: "certificate-time", pattern: /\bCERT_(HAS_EXPIRED|NOT_YET_VALID)\b/ },
  { kind: "certificate-issuer", pattern: /SELF_SIGNED|UNABLE_TO_\w*(CERT|ISSUER|SIGNATURE)/ },
  { kind: "certificate-name", pattern: /ALTNAME_INVALID/ },
  { kind: "client-certificate", pattern: /ALERT_(CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE)/i },
  {
    kind: "listed",
    pattern: /\b(allow|white).?list|\b(IP|origin|referr?er)\b.*\bnot (allowed|permitted|authori)/i,
  },
  { kind: "host-name", pattern: /\binvalid host specified\b/ },
  { kind: "wall", pattern: /\bHTTP 403 \((a web page|.*<html|.*<!doctype)/i },
  {
    kind: "region",
    pattern: /\bHTTP 451\b|\bin (your|this) (region|country|location)|not eligible|sanction/i,
  },
  { kind: "channel", pattern: /\bchannel_(is_archived|not_found)|\bno_such_channel/ },
  { kind: "chat", pattern: /upgraded to a supergroup|chat not found/i },
  { kind: "rights", pattern: /administrator rights|not enough rights|no rights to send/i },
  { kind: "patience", pattern: /\b45\d 4\.\d|greylist/i },
  {
    kind: "key",
    pattern: /\bHTTP 40[13]\b|must be authenticated|invalid (api|project) ?(key|id)/i,
  },
  {
    kind: "key",
    pattern: /\bunauthori[sz]ed\b|authentication (failed|required)|\b53[05]\b.*auth/i,
  },
  { kind: "payment", pattern: /\bHTTP 402\b|\bbilling\b|suspended.*(plan|pay)|payment required/i },
  {
    kind: "limit",
    pattern:
      /\b429\b|\bHTTP 418\b|rate.?limit|too many (requests|conn)|count exceeded|quota exceeded/i,
  },
  { kind: "size", pattern: /\bHTTP 413\b/ },
  { kind: "time-path", pattern: /\bno time at / },
  { kind: "starttls", pattern: /\bSTARTTLS\b|wrong version number.*\bESOCKET\b/ },
  { kind: "key", pattern: /\bapp([ _]?id)? (is )?(not found|unknown|disabled|suspended)/i },
  { kind: "key", pattern: /\b(unknown|invalid|no such) app\b/i },
  { kind: "key", pattern: /\bapi key\b/i },
  { kind: "place", pattern: /\bHTTP (30\d|404|405|410|426)\b/ },
  { kind: "place", pattern: /not (valid )?JSON|\bSSL\b|\bTLS\b|ERR_SSL|EPROTO/i },
  { kind: "place", pattern: /\bHPE_|Expected HTTP/ },
  { kind: "name", pattern: /\b(ENOTFOUND|EAI_AGAIN)\b/ },
  { kind: "failure", pattern: /^HTTP |; it says: / },
]

const RELOAD = "ballast reload"
const DOCTOR = "ballast doctor"

const SHARED: Partial<Readonly<Record<ErrorKind, Remedy>>> = {
  "proxy-login": {
    todo:
      "Write the user and the password of the proxy into HTTPS_PROXY (http://USER:PASSWORD@HOST:" +
      "PORT), and restart; the address behind it is not wrong.",
    command: DOCTOR,
  },
  proxy: {
    todo:
      "Repair the proxy of HTTPS_PROXY, let it admit this host, or name the host in NO_PROXY; " +
      "then restart.",
    command: DOCTOR,
  },
  files: {
    todo:
      "This process has too many open files, and no address is wrong: raise `ulimit -n` " +
      "(systemd: LimitNOFILE), and restart.",
    command: DOCTOR,
  },
  route: {
    todo:
      "This machine has no way to that address: check its routes, firewall and IPv6, or use " +
      "another address.",
    command: DOCTOR,
  },
  "old-tls": {
    todo: "That server speaks no TLS 1.2 or newer: its operator has to turn it on, or replace it.",
    command: DOCTOR,
  },
  scheme: {
    todo: "Correct the URL: this port speaks https, so write https:// for http://, and reload.",
    command: RELOAD,
  },
  "certificate-time": {
    todo:
      "Compare this machine's clock; if it is right, the operator of that server has to renew " +
      "its certificate.",
    command: "timedatectl status",
  },
  "certificate-issuer": {
    todo:
      "If the server is yours, name its issuer in NODE_EXTRA_CA_CERTS and restart; else another " +
      "party answers in its place: look at the URL and the network.",
    command: DOCTOR,
  },
  "certificate-name": {
    todo:
      "Correct the URL to the host name of its certificate; if the name is right, another party " +
      "answers in its place.",
    command: DOCTOR,
  },
}

const REMEDIES: Readonly<Record<Peer, Partial<Readonly<Record<ErrorKind, Remedy>>>>> = {
  node: {
    listed: {
      todo:
        "The provider admits only the addresses of a list, and the key may be right: add this " +
        "machine's address there, or give the chain another endpoint.",
      command: DOCTOR,
    },
    "host-name": {
      todo:
        "The node admits only the host names of a list, and no key is wrong: add this name to " +
        "its http.vhosts, or write its IP address into the URL.",
      command: RELOAD,
    },
    "client-certificate": {
      todo:
        "This host wants a certificate of its clients, and Ballast has none: ask the provider " +
        "for a URL with a key.",
      command: DOCTOR,
    },
    wall: {
      todo:
        "The firewall of this provider refuses our machine, not our key: ask it to admit the " +
        "address, or give the chain an endpoint of another provider.",
      command: DOCTOR,
    },
    region: {
      todo: "This provider is closed to our country: give the chain another endpoint.",
      command: DOCTOR,
    },
    key: {
      todo: "Renew the key in the endpoint's URL, then let the daemon read it.",
      command: RELOAD,
    },
    payment: {
      todo:
        "Pay the provider of the node, or give the chain another endpoint in the " +
        "configuration.",
      command: DOCTOR,
    },
    limit: {
      todo:
        "The provider limits our requests, and Ballast waits: buy more requests, or add an " +
        "endpoint of another provider. It is not wrong, so do not remove it.",
      command: DOCTOR,
    },
    place: {
      todo: "Correct the URL of the endpoint, then let the daemon read it.",
      command: RELOAD,
    },
    name: {
      todo: "Correct the host name in the endpoint's URL, or this machine's name service (DNS).",
      command: DOCTOR,
    },
  },
  service: {
    listed: {
      todo:
        "The service admits only the addresses of a list, and app_id is not wrong: ask its " +
        "operator to add this machine's address.",
      command: DOCTOR,
    },
    region: {
      todo:
        "The service does not admit our address or country, and app_id is not wrong: ask its " +
        "operator.",
      command: DOCTOR,
    },
    wall: {
      todo:
        "A firewall before the service refuses our machine, not our app_id: ask its operator to " +
        "admit the address.",
      command: DOCTOR,
    },
    key: {
      todo: "Check app_id and app_id_header of the service, then let the daemon read the file.",
      command: RELOAD,
    },
    limit: {
      todo:
        "The service limits our requests: lower its max_requests_per_second, or ask its " +
        "operator for more, then reload.",
      command: RELOAD,
    },
    place: { todo: "Check the url of the service and the network.", command: DOCTOR },
    failure: {
      todo: "Ask the operator of the service; orders wait until it is repaired.",
      command: DOCTOR,
    },
  },
  price: {
    listed: {
      todo:
        "The source admits only the addresses of a list: add this machine's address there, or " +
        "replace the source in prices.sources.",
      command: RELOAD,
    },
    "time-path": {
      todo: "Correct time_path of the source in prices.sources, then let the daemon read it.",
      command: RELOAD,
    },
    wall: {
      todo: "The source refuses our machine: replace it in prices.sources.",
      command: RELOAD,
    },
    region: {
      todo: "The source is closed to our country: replace it in prices.sources.",
      command: RELOAD,
    },
    key: {
      todo: "Renew the key of the source in prices.sources, then let the daemon read it.",
      command: RELOAD,
    },
    limit: {
      todo:
        "The source limits our requests, and is not wrong: buy more requests, or add a source " +
        "to prices.sources.",
      command: RELOAD,
    },
  },
  receiver: {
    listed: {
      todo:
        "The receiver admits only the addresses of a list, and its address is right: add this " +
        "machine's there.",
      command: DOCTOR,
    },
    channel: {
      todo: "Open the channel again, or write the webhook of another one into its url, and reload.",
      command: RELOAD,
    },
    chat: {
      todo:
        "Write the chat's present number into chat of the receiver: a group that became a " +
        "supergroup has a new one; then reload.",
      command: RELOAD,
    },
    rights: {
      todo:
        "Give the bot its rights in the chat of the receiver (in a channel those of an " +
        "administrator), and try it: its token is right.",
      command: "ballast alerts test",
    },
    patience: {
      todo:
        "The mail server asks for patience, and its address is right: Ballast sends again. Ask " +
        "its operator if it lasts.",
      command: DOCTOR,
    },
    starttls: {
      todo:
        "Correct tls and port of the receiver: tls: tls (mostly 465), or a server with STARTTLS " +
        "(mostly 587); then reload.",
      command: RELOAD,
    },
    size: {
      todo:
        "The message is too large for the receiver, and its address is right: raise its limit, " +
        "or lower alerts.group_for.",
      command: RELOAD,
    },
    key: {
      todo:
        "Correct its address or secret (a token, or user and password) in the configuration, " +
        "reload, and try it.",
      command: RELOAD,
    },
    limit: {
      todo:
        "The receiver limits our messages, and its address is right: Ballast sends again; raise " +
        "alerts.group_for for fewer messages.",
      command: RELOAD,
    },
    name: {
      todo: "Correct the host name in its address, or this machine's name service (DNS).",
      command: RELOAD,
    },
  },
}

/** SQLSTATE of a refused login, and of a missing right (PostgreSQL's documentation, appendix A). */
const REFUSAL = /\((28\w{3}|42501)\)/

/**
 * The parts of the problem that a PostgreSQL without a good answer is. `advice`: the next step
 * after `error`. Pure.
 */
export function describeClusterSilence(
  error: string | null,
  advice: string | undefined,
): { readonly what: string; readonly why: string; readonly todo: string } {
  const why = error === null ? "" : ` (${error.slice(0, 200)})`
  if (advice !== undefined && REFUSAL.test(error ?? "")) {
    const todo = `In this order: ${advice}; restart this member.`
    return { what: "has refused this member", why, todo }
  }
  const todo =
    "Repair PostgreSQL, its synchronous standby or the network; every member goes on by itself."
  return { what: "has not answered", why, todo }
}
