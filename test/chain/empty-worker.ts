/** A worker that handles no request. The tests in this folder run in this worker's runtime and use its database. */
export default {
  fetch: () => new Response(null, { status: 404 }),
}
