import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { configOf } from '../env.ts'
import { log } from '../log.ts'
import { judgeOrigin, isForwarded, isPrivateHost, isLoopback } from '../trust/origin.ts'
import { sameText } from '../trust/hmac.ts'
import type { DoorEnv } from './bindings.ts'
import { onNotFound, refused } from './errors.ts'

/**
 * How long a browser may remember that an origin is allowed (the answer to a preflight request), in seconds: only
 * briefly, so that a change of `WALKON_ORIGINS` takes effect soon.
 */
const PREFLIGHT_SECONDS = '600'

/** How long a client over its rate limit must wait, in seconds: the period of the limits in `wrangler.toml`. */
const LIMIT_SECONDS = 60

/**
 * Reads the deployment's configuration and sets it as `config` for the routes. If the deployment signs with the public
 * development keys, every request is refused unless the host in its URL is this machine or in a private network
 * ([trust-9]). The host's name is checked, not its address, because a foreign page can make its own host name resolve
 * to this machine. Requests from a proxy are refused too, because many proxies send `localhost` as the host, whatever
 * host the client requested.
 */
export const configured = createMiddleware<DoorEnv>(async (c, next) => {
  const config = configOf(c.env)
  if (config.trust.isDevelopment && (!isPrivateHost(new URL(c.req.url).hostname) || isForwarded(c.req.raw.headers))) {
    log('not-serving', { missing: 'WALKON_TOKEN_KEYS' })
    return refused(c, 'unavailable')
  }
  c.set('config', config)
  await next()
})

/** Makes middleware that refuses a client that has sent too many requests ([trust-17]). */
export function limited(limit: Limit) {
  return createMiddleware<DoorEnv>(async (c, next) => (await heldOff(c, limit)) ?? next())
}

type Limit = 'LIMIT_SESSIONS' | 'LIMIT_REQUESTS' | 'LIMIT_ADMIN'

/**
 * Counts one request against a limit. Returns the refusal to send if the client is over the limit; null if the client
 * is within the limit.
 */
export async function heldOff<E extends DoorEnv>(c: Context<E>, limit: Limit): Promise<Response | null> {
  const group = clientOf(c)
  const outcome = group === null ? undefined : await c.env[limit]?.limit({ key: `${limit} ${group}` })
  if (outcome?.success !== false) return null
  c.header('Retry-After', String(LIMIT_SECONDS))
  return refused(c, 'rate-limited', LIMIT_SECONDS * 1_000)
}

/**
 * Refuses requests from pages whose origin is not allowed ([trust-1]). The answer to an allowed page names the page's
 * origin in a header, so that the browser lets the page read the answer ([trust-3]).
 */
export const fromAllowedOrigin = createMiddleware<DoorEnv>(async (c, next) => {
  const verdict = judgeOrigin(c.req.raw, c.var.config.trust.origins)
  if (!verdict.ok) {
    c.header('Vary', 'Origin')
    return refused(c, 'forbidden-origin')
  }
  c.set('origin', verdict.origin)
  const isPreflight = c.req.method === 'OPTIONS' && c.req.header('Access-Control-Request-Method') !== undefined
  if (isPreflight) {
    c.header('Access-Control-Allow-Methods', 'GET, POST')
    c.header('Access-Control-Allow-Headers', 'Authorization, Content-Type')
    c.header('Access-Control-Max-Age', PREFLIGHT_SECONDS)
    c.res = c.body(null, 204)
  } else await next()
  // An answer of 101, which opens a WebSocket, needs no CORS headers, and its headers cannot be changed.
  if (c.res.status === 101) return
  c.header('Vary', 'Origin', { append: true })
  const header = c.req.header('Origin')
  if (header !== undefined) c.header('Access-Control-Allow-Origin', header)
})

/**
 * Lets only requests with the secret `WALKON_ADMIN_SECRET` reach the admin routes; if no secret is set, these routes
 * answer 404. A request from a page is refused even with the secret ([trust-18]). Every request whose secret is checked
 * writes a line to the log: the action, the conversation or tenant, and the status.
 */
export const adminOnly = createMiddleware<DoorEnv>(async (c, next) => {
  const { adminSecret } = c.var.config.trust
  if (adminSecret === null) return onNotFound(c)
  if (c.req.header('Origin') !== undefined) return refused(c, 'forbidden-origin')
  const [, bearer] = /^Bearer ([\x21-\x7e]{1,500})$/.exec(c.req.header('Authorization') ?? '') ?? []
  if (bearer === undefined || !(await sameText(bearer, adminSecret))) {
    c.header('WWW-Authenticate', 'Bearer')
    c.res = refused(c, 'not-admitted')
  } else await next()
  const { status } = c.res
  const [session = null] = /[0-9a-f]{64}/.exec(c.req.path) ?? []
  // The tenant in a refused request is not logged, because it may be any text.
  const [, tenant] = (status === 401 ? null : TENANT.exec(c.req.path)) ?? []
  const [, , , , , ...acts] = c.req.path.split('/')
  const act = acts.at(-1) ?? 'show'
  const [, scenario, version] = (status === 401 ? null : SCENARIO.exec(c.req.path)) ?? []
  const about =
    scenario !== undefined ? { scenario, version: version ?? null } : tenant !== undefined ? { tenant } : { session }
  log('admin', { method: c.req.method, act: ACTS.has(act) ? act : 'unknown', ...about, status })
})

const TENANT = /^\/api\/admin\/tenants\/([\w.:-]{1,64})\//

const SCENARIO = /^\/api\/admin\/scenarios\/([a-z0-9-]{1,64})\/(\d{1,9})\//

const ACTS: ReadonlySet<string> = new Set([
  'show',
  'log',
  'outbox',
  'revoke',
  'tokens',
  'npc-state',
  'told',
  'state',
  'withdraw',
])

/** Returns the name under which a request's client is counted; null for a client that is not counted. */
export function clientOf(c: Pick<Context, 'req'>): string | null {
  return clientGroup(c.req.header('CF-Connecting-IP'))
}

/**
 * Returns the name under which a client's requests are counted: its IP address, or for IPv6 the address's /64 network,
 * in which a client can change its address freely. Returns null for a client on this machine, which has no limit, and
 * for a text that is not an IP address.
 */
export function clientGroup(address: string | undefined): string | null {
  if (address === undefined) return null
  const hostname = hostnameOf(address)
  if (hostname === null || isLoopback(hostname)) return null
  if (!hostname.startsWith('[')) return hostname
  const groups = groupsOf(hostname.slice(1, -1))
  const isMapped = groups.slice(0, 5).every((group) => group === '0') && groups[5] === 'ffff'
  return isMapped ? groups.slice(6).join(':') : `${groups.slice(0, 4).join(':')}::/64`
}

/** Returns an IP address as `URL` writes it, in brackets for IPv6; null if the text is not an IP address. */
function hostnameOf(address: string): string | null {
  if (!/^[0-9a-f.:]{2,45}$/i.test(address)) return null
  return URL.parse(`http://${address.includes(':') ? `[${address}]` : address}/`)?.hostname ?? null
}

/** Returns the eight groups of an IPv6 address, including the groups that `::` stands for. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const left = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array.from({ length: left }, () => '0'), ...after]
}

/** The headers of every answer, including errors ([trust-19]). */
const ALWAYS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  // This header keeps pages of other origins from loading answers as images or scripts. Allowed pages can still read
  // answers by `fetch`.
  'Cross-Origin-Resource-Policy': 'same-origin',
  // Each answer is for one client, and some contain credentials.
  'Cache-Control': 'no-store',
}

/** Two years, without subdomains. */
const TRANSPORT_SECURITY = 'max-age=63072000'

/** Adds security headers to every answer of the Worker. Static files get their headers from the file `_headers`. */
export const secureHeaders = createMiddleware(async (c, next) => {
  await next()
  // An answer of 101, which opens a WebSocket, needs no such headers, and its headers cannot be changed.
  if (c.res.status === 101) return
  // A route may have set a Content-Security-Policy of its own, such as one that allows its page's stylesheet. That
  // policy is kept.
  const own = c.res.headers.get('Content-Security-Policy')
  for (const [name, value] of Object.entries(ALWAYS)) c.header(name, value)
  if (own !== null) c.header('Content-Security-Policy', own)
  if (new URL(c.req.url).protocol === 'https:') c.header('Strict-Transport-Security', TRANSPORT_SECURITY)
})
