/** The form of a Durable Object's id: 64 hexadecimal digits. */
const SESSION_ID = /^[0-9a-f]{64}$/

/** Returns the object id of a session; null if the text is not an id of this deployment. Wakes no object. */
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
