import { describePage } from "#nodes/describe-page.ts"
import type { Channel } from "./port.ts"

/**
 * The words of a refusal that a receiver says with HTTP 2xx; `null` of a message that it took.
 * Chats and their proxies say `ok: false`, `success: false` or an `errcode` (Telegram Bot API,
 * Slack Web API, Matrix and WeCom), Healthchecks `OK (not found)`. The page of a login or a filter
 * is no answer of theirs; a webhook may be any address. `hide` removes secrets, which they may
 * repeat. Pure.
 */
export function findRefusal(
  kind: Channel["kind"],
  text: string,
  hide: (text: string) => string,
): string | null {
  const page = kind === "webhook" ? null : describePage(text, hide)
  return page ?? (isRefusal(text) ? hide(text) : null)
}

function isRefusal(text: string): boolean {
  if (/^OK \((not found|rate limited)\)/.test(text)) return true
  const found = readJson(text)
  if (typeof found !== "object" || found === null) return false
  const said = (key: string): unknown => Reflect.get(found, key)
  const code = said("errcode")
  return said("ok") === false || said("success") === false || (code !== undefined && code !== 0)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
