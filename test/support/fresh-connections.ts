const FRESH = Symbol.for('walkon.fresh-connections')
const plain = globalThis.fetch

/**
 * Gives each request that a test makes a connection of its own. A server that is deployed again, or that closes a line
 * which lay idle, would cut a request that goes out on a kept one, and only on a busy machine.
 */
async function fetchFresh(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  // Throws for a header that is none; plain `fetch` rejects then, and so does this.
  const request = new Request(input, init)
  request.headers.set('connection', 'close')
  return plain(request)
}

// Files of a run share a process, and each loads this.
if (!(FRESH in plain)) globalThis.fetch = Object.assign(fetchFresh, { [FRESH]: true })
