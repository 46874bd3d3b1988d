/** The form of a Durable Object's id: 64 hexadecimal digits. */
const SESSION_ID = /^[0-9a-f]{64}$/

/**
 * Returns the id of a conversation's object; null if the text is not the id of a conversation of this deployment. Wakes
 * no object.
 */
export function objectIdOf<T extends Rpc.DurableObjectBranded>(
  namespace: DurableObjectNamespace<T>,
  session: string,
): DurableObjectId | null {
  if (!SESSION_ID.test(session)) return null
  try {
    return namespace.idFromString(session)
  } catch {
    return null
  }
}
