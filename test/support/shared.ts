import type { WorkerServer } from './worker-server.ts'

/** The name of an environment variable. It has the address at which test files ask for the things that they share. */
export const SHARED_ADDRESS = 'WALKON_TEST_SHARED'
/** The variable that names the folder in which the test files of a run keep for each other what takes long to make. */
export const SHARED_FOLDER = 'WALKON_TEST_FOLDER'

/** The name of a server that test files share. `shared-servers.ts` has the settings of each server. */
export type SharedName = 'plain' | 'paced' | 'echo'

/** A call of a shared server's method. The server runs in another process, so the call is sent there. */
export type Call =
  | { readonly name: SharedName; readonly method: 'evict'; readonly args: Parameters<WorkerServer['evict']> }
  | { readonly name: SharedName; readonly method: 'sql'; readonly args: Parameters<WorkerServer['sql']> }
  | { readonly name: SharedName; readonly method: 'logs'; readonly args: [] }

/** Returns whether this process belongs to a run of tests that has shared servers. */
export function isSharing(): boolean {
  return process.env[SHARED_ADDRESS] !== undefined
}

/** Asks for something that all test files share. @throws when there is no run of tests, or when the request fails */
export async function askShared<T>(what: string, asked: object = {}): Promise<T> {
  const address = process.env[SHARED_ADDRESS]
  if (address === undefined) throw new Error('only a run of vitest shares servers: start one of your own')
  const response = await fetch(new URL(what, address), { method: 'POST', body: JSON.stringify(asked) })
  const answer = (await response.json()) as { readonly value: T } | { readonly error: string }
  if ('error' in answer) throw new Error(answer.error)
  return answer.value
}

/**
 * A server that all test files of a run use at the same time. So no file may change the server's settings, and no file
 * may count on what other files have stored in it.
 */
export class SharedServer {
  readonly url: URL
  readonly #name: SharedName

  private constructor(name: SharedName, url: URL) {
    this.#name = name
    this.url = url
  }

  static async open(name: SharedName): Promise<SharedServer> {
    return new SharedServer(name, new URL(await askShared<string>('server', { name })))
  }

  /** Sends an HTTP request to the worker. `path` is relative to the worker's root. */
  fetch(path: string, init?: RequestInit): Promise<Response> {
    return fetch(new URL(path, this.url), init)
  }

  async evict(...args: Parameters<WorkerServer['evict']>): Promise<void> {
    await this.#call({ name: this.#name, method: 'evict', args })
  }

  sql(...args: Parameters<WorkerServer['sql']>): Promise<unknown[]> {
    return this.#call({ name: this.#name, method: 'sql', args })
  }

  /** Returns the worker's log. The log has the entries of every file that uses the server. */
  logs(): Promise<string[]> {
    return this.#call({ name: this.#name, method: 'logs', args: [] })
  }

  #call<T>(call: Call): Promise<T> {
    return askShared('call', call)
  }
}
