import {
  Agent,
  type Dispatcher,
  EnvHttpProxyAgent,
  getGlobalDispatcher,
  setGlobalDispatcher,
} from "undici"
import { type ProxyVariables, readProxyVariables } from "./proxy-variables.ts"

/**
 * The way out of this process: through the proxy of `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`
 * where they are set, and never for an address of this machine. It also bounds every answer; each
 * exchange has a lower bound of its own. The first exchange opens it, so no command can forget it.
 */
export function openNetwork(): void {
  // Nothing has chosen a way yet: undici's own has no proxy and no bound.
  if (getGlobalDispatcher().constructor.name === "Agent") setGlobalDispatcher(createWayOut())
}

/** The host of the proxy that a request to this URL goes through; `null`: it goes straight. */
export function findProxy(url: string): string | null {
  const { http, https, names, isDirect } = readProxyVariables(process.env)
  const { protocol, hostname } = new URL(url)
  const proxy = protocol === "https:" ? https : http
  const isExcepted = names.split(",").some((name) => {
    const end = name.replace(/:\d+$/, "").replace(/^\*?\.?/, "")
    return name === "*" || (end !== "" && (hostname === end || hostname.endsWith(`.${end}`)))
  })
  if (proxy === "" || isExcepted || isThisMachine(hostname) || isDirect(hostname)) return null
  return new URL(proxy).host
}

function createWayOut(): Dispatcher {
  const connectTimeout = 10_000
  const shared = { connect: { timeout: connectTimeout }, maxResponseSize: MAX_ANSWER_BYTES }
  const direct = new Agent(shared)
  const { http, https, names, isDirect } = readProxyVariables(process.env)
  const proxies = { httpProxy: http, httpsProxy: https, noProxy: names }
  const outside = new EnvHttpProxyAgent({ ...shared, connectTimeout, ...proxies })
  const passLocal =
    (dispatch: Dispatcher["dispatch"]): Dispatcher["dispatch"] =>
    (options, handler) =>
      isNear(options.origin, isDirect)
        ? direct.dispatch(options, handler)
        : dispatch(options, handler)
  return outside.compose(passLocal)
}

/** Above the largest bound of any exchange. Without one, an answer could fill the memory. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024

function isNear(origin: string | URL | undefined, isDirect: ProxyVariables["isDirect"]): boolean {
  const { hostname } = new URL(origin ?? "http://localhost")
  return isThisMachine(hostname) || isDirect(hostname)
}

function isThisMachine(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}
