/** Shows what a conversation's object answers to a call of one of its methods, by the method's name. */
export async function doorsRoute(c) {
  const { session, door } = c.req.param()
  const object = c.env.CONVERSATIONS.get(c.env.CONVERSATIONS.idFromString(session))
  try {
    return c.json((await object[door]()) ?? null)
  } catch (error) {
    // What a death looks like from outside.
    return c.json({ died: String(error) }, 500)
  }
}
