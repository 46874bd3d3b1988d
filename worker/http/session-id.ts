/** How the platform writes an object's id: 64 hexadecimal digits. */
const SESSION_ID = /^[0-9a-f]{64}$/

/** The object of a session, or null when the text is no id of this deployment's. Wakes nothing. */
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
