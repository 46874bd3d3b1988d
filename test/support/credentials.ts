/**
 * Keeps the credentials of each session by the session's id, because a test may open several clients for a session.
 * Like the plain client, this file imports nothing from the worker and relies only on docs/reference/messages.md
 * ([message-1] to [message-3]).
 */

/** The credentials in the response of `POST /api/sessions`. */
export interface Given {
  readonly key: string
  readonly token: string
  readonly ticket: string
  readonly lastsMs: number
}

const given = new Map<string, Given>()

/** Stores the credentials of a session and returns the session's id. */
export function keepCredentials({ session, ...credentials }: Given & { readonly session: string }): string {
  given.set(session, credentials)
  return session
}

/** Returns the stored credentials of a session. @throws when there are no stored credentials */
export function credentialsOf(session: string): Given {
  const credentials = given.get(session)
  if (credentials === undefined) throw new Error(`nobody was given anything for session ${session}`)
  return credentials
}

/** Returns the query parameters of the socket's address: the session and, if the session has a ticket, the ticket. */
export function passage(session: string): { session: string; ticket?: string } {
  const ticket = given.get(session)?.ticket
  return ticket === undefined ? { session } : { session, ticket }
}

/** Returns what a client adds to the CONNECT payload: the token, if the session has one. */
export function admission(session: string): { token?: string } {
  const token = given.get(session)?.token
  return token === undefined ? {} : { token }
}

/**
 * Exchanges a session's key for new credentials, and keeps these. @throws Error with the status when the server refuses
 */
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
