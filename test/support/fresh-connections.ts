const FRESH = Symbol.for('walkon.fresh-connections')
const plain = globalThis.fetch

/**
 * Sends each request of a test on a connection of its own. A server that is redeployed, or that closes an idle
 * connection, would cut a request sent on a kept one, and only on a busy machine.
 */
async function fetchFresh(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  // Throws for an invalid header. Plain `fetch` rejects then, and so does this async function.
  const request = new Request(input, init)
  request.headers.set('connection', 'close')
  return plain(request)
}

// Test files of a run share a process, and each of them loads this file.
if (!(FRESH in plain)) globalThis.fetch = Object.assign(fetchFresh, { [FRESH]: true })
