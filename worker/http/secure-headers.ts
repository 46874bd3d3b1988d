import { createMiddleware } from 'hono/factory'

/** What every answer carries, an error as well ([trust-19]). */
const ALWAYS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  // Pages of other origins read answers by CORS, which this does not touch; it keeps them out of images and scripts.
  'Cross-Origin-Resource-Policy': 'same-origin',
  // Whatever is answered here is one client's, and credentials among it.
  'Cache-Control': 'no-store',
}

/** Two years, of this host alone. */
const TRANSPORT_SECURITY = 'max-age=63072000'

/** Sets the headers, once the answer is there. Files have theirs from `_headers`. */
export const secureHeaders = createMiddleware(async (c, next) => {
  await next()
  // An upgrade cannot be changed, and no browser looks for these in one.
  if (c.res.status === 101) return
  // A page has a policy of its own, which allows what it is made of.
  const own = c.res.headers.get('Content-Security-Policy')
  for (const [name, value] of Object.entries(ALWAYS)) c.header(name, value)
  if (own !== null) c.header('Content-Security-Policy', own)
  if (new URL(c.req.url).protocol === 'https:') c.header('Strict-Transport-Security', TRANSPORT_SECURITY)
})
