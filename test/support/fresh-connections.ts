const FRESH = Symbol.for('walkon.fresh-connections')
const plain = globalThis.fetch

/**
 * Sends each request on a connection of its own. A connection that is kept open could be closed just before the next
 * request: when it was idle for some time, or when the worker is deployed again.
 */
async function fetchFresh(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  // For an invalid header, the constructor throws. This function is async, so it rejects, just as `fetch` itself does.
  const request = new Request(input, init)
  request.headers.set('connection', 'close')
  return plain(request)
}

// Replaces `fetch` only once, although each test file loads this module: the test files share a process.
if (!(FRESH in plain)) globalThis.fetch = Object.assign(fetchFresh, { [FRESH]: true })
