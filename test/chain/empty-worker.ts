/** A worker that handles no request. The tests beside it run in its runtime and use its database. */
export default {
  fetch: () => new Response(null, { status: 404 }),
}
