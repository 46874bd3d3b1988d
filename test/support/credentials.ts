/**
 * What lets a client into a session, kept by the session's id for whatever client a test opens next. Like the plain
 * client it takes nothing from the worker: docs/reference/messages.md ([message-1] to [message-3]) is enough.
 */

/** What `POST /api/sessions` gives beside the names. */
export interface Given {
  readonly key: string
  readonly token: string
  readonly ticket: string
  readonly lastsMs: number
}

const given = new Map<string, Given>()

/** Keeps what was given for a session, and returns the session. */
export function keepCredentials({ session, ...credentials }: Given & { readonly session: string }): string {
  given.set(session, credentials)
  return session
}

/** What was given for a session. @throws when nothing was */
export function credentialsOf(session: string): Given {
  const credentials = given.get(session)
  if (credentials === undefined) throw new Error(`nobody was given anything for session ${session}`)
  return credentials
}

/** For the socket's address: the session, and the ticket where there is one. */
export function passage(session: string): { session: string; ticket?: string } {
  const ticket = given.get(session)?.ticket
  return ticket === undefined ? { session } : { session, ticket }
}

/** For the CONNECT payload: the token, where there is one. */
export function admission(session: string): { token?: string } {
  const token = given.get(session)?.token
  return token === undefined ? {} : { token }
}

/** Exchanges a session's key for new credentials, and keeps them. @throws with the status when they are refused */
export async function renewCredentials(server: URL, session: string): Promise<Given> {
  const { key } = credentialsOf(session)
  const response = await fetch(new URL(`/api/sessions/${session}/credentials`, server), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key }),
  })
  if (response.status !== 200) throw new Error(`no credentials: ${response.status}`)
  keepCredentials({ ...((await response.json()) as Omit<Given, 'key'>), key, session })
  return credentialsOf(session)
}
