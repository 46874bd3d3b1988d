/** Which pages may open and join conversations. */
export interface OriginPolicy {
  /** The Worker's own origin, whatever it is asked by. */
  readonly self: boolean
  /** Clients that are not pages: requests without an origin that no browser marks as sent by another site. */
  readonly none: boolean
  /** Exact origins, as `URL.origin` writes them. */
  readonly exact: ReadonlySet<string>
}

/** Where a request comes from. `origin` is null for a client that is not a page. */
export type OriginVerdict = { readonly ok: true; readonly origin: string | null } | { readonly ok: false }

/** What is looked at of a request. `url` is the address it was sent to. */
export interface Asked {
  readonly url: string
  readonly headers: { get(name: string): string | null }
}

/**
 * Whether a request comes from where this deployment lets requests come from ([trust-1]).
 *
 * A browser sends no `Origin` with a GET to the page's own origin, which long-polling is made of; `Sec-Fetch-Site` tells
 * of those, and no page can set it. It does so over https and on this machine only: where the Worker was asked by http all
 * the same, a proxy has ended the page's https.
 */
export function judgeOrigin({ url, headers }: Asked, policy: OriginPolicy): OriginVerdict {
  const own = new URL(url).origin
  const header = headers.get('Origin')
  if (header !== null) return allowed(canonicalOrigin(header), own, policy)
  const site = headers.get('Sec-Fetch-Site')
  if (site === 'same-origin') return allowed(policy.exact.has(secured(own)) ? secured(own) : own, own, policy)
  // `none` is a person at the address bar; without the header it is no browser, or one too old to tell.
  const isNoPage = site === null || site === 'none'
  return isNoPage && policy.none ? { ok: true, origin: null } : REFUSED
}

/** Whether a page is of the Worker's own origin, by the address it was asked by, where a proxy may have ended https. */
export function isOwnOrigin(page: string, url: string): boolean {
  const own = new URL(url).origin
  return page === own || page === secured(own)
}

/**
 * The origin, if the text is one to the letter as a browser writes it, or null. A browser writes no other case, port,
 * path, user or trailing dot than `URL.origin` does, so whatever differs was not written by one. `null` is no origin:
 * every sandboxed page has it.
 */
export function canonicalOrigin(text: string): string | null {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null
  return url.origin === text && HOST.test(url.hostname) ? text : null
}

/** A name without a wildcard in it and without a dot at its end, or an address. URLs allow for more. */
const HOST = /^(?:[a-z0-9._-]*[a-z0-9_-]|\[[0-9a-f:.]+\])$/

function secured(origin: string): string {
  return origin.replace(/^http:/, 'https:')
}

const REFUSED: OriginVerdict = { ok: false }

function allowed(origin: string | null, own: string, { self, exact }: OriginPolicy): OriginVerdict {
  if (origin === null) return REFUSED
  return exact.has(origin) || (self && origin === own) ? { ok: true, origin } : REFUSED
}

/**
 * Returns true if a host name is this machine or a host of a private network. `hostname` is as
 * `URL.hostname` writes it, which has already made one spelling of every address.
 */
export function isPrivateHost(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost') || hostname.endsWith('.local')) return true
  if (hostname.startsWith('[')) return isPrivateV6(hostname.slice(1, -1))
  const parts = /^(\d{1,3})\.(\d{1,3})\.\d{1,3}\.\d{1,3}$/.exec(hostname)
  if (parts === null) return false
  const [first, second] = [Number(parts[1]), Number(parts[2])]
  if (first === 127 || first === 10) return true
  return (first === 172 && second >= 16 && second <= 31) || (first === 192 && second === 168)
}

/** Whether an address is this machine itself, as `URL.hostname` writes it. */
export function isLoopback(hostname: string): boolean {
  return hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

/** Headers that a proxy adds to a request it passes on. */
const FORWARDED = ['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP'] as const

/** Whether a request came by a proxy, which may have given it a host name of its own choice. */
export function isForwarded(headers: { has(name: string): boolean }): boolean {
  return FORWARDED.some((name) => headers.has(name))
}

function isPrivateV6(address: string): boolean {
  return address === '::1' || /^fd[0-9a-f]{2}:/.test(address)
}
