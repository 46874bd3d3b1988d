/** Which pages and other clients may begin and join conversations. */
export interface OriginPolicy {
  /** Whether pages of the Worker's own origin are allowed. The Worker's own origin is that of the request's URL. */
  readonly self: boolean
  /** Whether clients that are not pages are allowed, such as a server. */
  readonly none: boolean
  /** Exact origins that are allowed, as `URL.origin` writes them. */
  readonly exact: ReadonlySet<string>
}

/**
 * Whether a request is allowed. `origin` is the origin of the requesting page; null for a client that is not a page.
 */
export type OriginVerdict = { readonly ok: true; readonly origin: string | null } | { readonly ok: false }

/** The parts of a request that are checked. */
export interface Asked {
  readonly url: string
  readonly headers: { get(name: string): string | null }
}

/**
 * Decides whether a request comes from an allowed origin ([trust-1]).
 *
 * With a GET to the page's own origin, as in long-polling, a browser sends no `Origin`. The browser sends the header
 * `Sec-Fetch-Site` instead, which no page can set. Browsers send that header only to an https address or to the
 * browser's own machine. So if a request with this header arrives over http from another machine, the browser sent it
 * over https to a proxy, which passed it on over http.
 */
export function judgeOrigin({ url, headers }: Asked, policy: OriginPolicy): OriginVerdict {
  const own = new URL(url).origin
  const header = headers.get('Origin')
  if (header !== null) return allowed(canonicalOrigin(header), own, policy)
  const site = headers.get('Sec-Fetch-Site')
  if (site === 'same-origin') return allowed(policy.exact.has(secured(own)) ? secured(own) : own, own, policy)
  // `none` means that a person typed the address. A client that does not send `Sec-Fetch-Site` is not a browser, or is
  // a very old one.
  const isNoPage = site === null || site === 'none'
  return isNoPage && policy.none ? { ok: true, origin: null } : REFUSED
}

/**
 * Returns true if a page's origin is the Worker's own, which is the origin of the request's URL. The page may have
 * https where the request has http, because a proxy may receive https and pass requests on over http.
 */
export function isOwnOrigin(page: string, url: string): boolean {
  const own = new URL(url).origin
  return page === own || page === secured(own)
}

/**
 * Returns the text if it is an origin, written exactly as browsers write one; otherwise null. Browsers write an origin
 * in lower case, and without a default port, a path, a user or a trailing dot. For the text `null` the function returns
 * null too, because every sandboxed page sends it as its origin.
 */
export function canonicalOrigin(text: string): string | null {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null
  return url.origin === text && HOST.test(url.hostname) ? text : null
}

/** Matches an IP address, or a host name without a wildcard and without a dot at its end. */
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
 * Returns true if a host name is that of this machine or of a machine in a private network. `hostname` must come from
 * `URL.hostname`, which spells each address in only one way.
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

/** Returns true if an IP address, spelled as `URL.hostname` spells it, is that of this machine itself. */
export function isLoopback(hostname: string): boolean {
  return hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

/** Headers that a proxy adds to a request that it forwards. */
const FORWARDED = ['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP'] as const

/** Returns true if a request came through a proxy, which may have replaced the request's host name. */
export function isForwarded(headers: { has(name: string): boolean }): boolean {
  return FORWARDED.some((name) => headers.has(name))
}

function isPrivateV6(address: string): boolean {
  return address === '::1' || /^fd[0-9a-f]{2}:/.test(address)
}
