/** Calls a method of a conversation's object by name, and returns the result. */
export async function doorsRoute(c) {
  const { session, door } = c.req.param()
  const object = c.env.CONVERSATIONS.get(c.env.CONVERSATIONS.idFromString(session))
  try {
    return c.json((await object[door]()) ?? null)
  } catch (error) {
    // If the object dies, its caller gets this error.
    return c.json({ died: String(error) }, 500)
  }
}
