/** Returns the result of a method of a conversation's object, by the method's name. */
export async function doorsRoute(c) {
  const { session, door } = c.req.param()
  const object = c.env.CONVERSATIONS.get(c.env.CONVERSATIONS.idFromString(session))
  try {
    return c.json((await object[door]()) ?? null)
  } catch (error) {
    // This is how an object's death looks from outside.
    return c.json({ died: String(error) }, 500)
  }
}
