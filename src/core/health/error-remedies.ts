export type Remedy = { readonly todo: string; readonly command: string }

/** The next step after an error of a certificate, whichever server gave it. Pure. */
export function remedyOfCertificate(error: string): Remedy | null {
  if (/\bCERT_(HAS_EXPIRED|NOT_YET_VALID)\b/.test(error)) return WAIT_FOR_RENEWAL
  return /SELF_SIGNED|UNABLE_TO_\w*(CERT|ISSUER|SIGNATURE)/.test(error) ? TRUST : null
}

const WAIT_FOR_RENEWAL = {
  todo:
    "Compare this machine's clock; if it is right, the operator of that server has to renew its " +
    "certificate.",
  command: "timedatectl status",
}
const TRUST = {
  todo:
    "If the server is yours, name its issuer in NODE_EXTRA_CA_CERTS and restart; else another " +
    "party answers in its place: look at the URL and the network.",
  command: "ballast doctor",
}

/** The next step after an endpoint's error; `null` where its words do not tell one. Pure. */
export function remedyOfError(error: string | null): Remedy | null {
  const words = error ?? ""
  const [found] = ERROR_REMEDIES.filter(({ pattern }) => pattern.test(words))
  return remedyOfCertificate(words) ?? found?.remedy ?? null
}

const RENEW = {
  todo: "Renew the key in the endpoint's URL, then let the daemon read it.",
  command: "ballast reload",
}
const SLOW_DOWN = {
  todo:
    "The provider limits our requests, and Ballast waits: buy more requests, or add an endpoint " +
    "of another provider. It is not wrong, so do not remove it.",
  command: "ballast doctor",
}
const PAY = {
  todo: "Pay the provider of the node, or give the chain another endpoint in the configuration.",
  command: "ballast doctor",
}
const CORRECT = {
  todo: "Correct the URL of the endpoint, then let the daemon read it.",
  command: "ballast reload",
}
const RENAME = {
  todo: "Correct the host name in the endpoint's URL, or this machine's name service (DNS).",
  command: "ballast doctor",
}
/** The first that fits an endpoint's error counts. */
const ERROR_REMEDIES: readonly { readonly pattern: RegExp; readonly remedy: Remedy }[] = [
  { pattern: /\bHTTP 40[13]\b/, remedy: RENEW },
  { pattern: /\bHTTP 402\b/, remedy: PAY },
  { pattern: /\b429\b|rate.?limit|too many requests/i, remedy: SLOW_DOWN },
  { pattern: /\bHTTP (30\d|404|405|410)\b/, remedy: CORRECT },
  { pattern: /not (valid )?JSON|\bSSL\b|\bTLS\b|ERR_SSL|EPROTO/i, remedy: CORRECT },
  { pattern: /\b(ENOTFOUND|EAI_AGAIN)\b/, remedy: RENAME },
]
