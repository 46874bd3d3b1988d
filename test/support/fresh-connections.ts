const FRESH = Symbol.for('walkon.fresh-connections')
const plain = globalThis.fetch

/**
 * Sends each request of a test on a new connection. On a kept connection, a request could fail on a busy machine: the
 * server closes idle connections, and at a redeployment all connections.
 */
async function fetchFresh(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  // The constructor throws for an invalid header, and this async function then rejects, as plain `fetch` does.
  const request = new Request(input, init)
  request.headers.set('connection', 'close')
  return plain(request)
}

// Replaces `fetch` only once: the test files of a run share a process, and each of them loads this file.
if (!(FRESH in plain)) globalThis.fetch = Object.assign(fetchFresh, { [FRESH]: true })
