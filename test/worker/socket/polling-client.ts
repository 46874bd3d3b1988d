import { expect } from 'vitest'
import { echoObject } from './raw-client.ts'

/** The response to an HTTP request of the transport. */
export interface Answer {
  status: number
  body: string
}

/** A polling client of an echo object. The test handles each packet itself. */
export class PollingClient {
  readonly name: string
  readonly sid: string
  readonly opened: string

  private constructor(name: string, opened: string) {
    this.name = name
    this.opened = opened
    const { sid }: { sid: string } = JSON.parse(opened.slice(1))
    this.sid = sid
  }

  /** Opens a session. @throws Error when the server refuses the session */
  static async open(name: string, query = ''): Promise<PollingClient> {
    const { status, body } = await ask(name, `EIO=4&transport=polling${query}`)
    if (status !== 200) throw new Error(`refused: ${status} ${body}`)
    return new PollingClient(name, body)
  }

  /** Opens a session, connects, and polls everything up to `hello`. */
  static async connect(name: string, auth: object = {}, query = ''): Promise<PollingClient> {
    const client = await PollingClient.open(name, query)
    expect(await client.post(`40${JSON.stringify(auth)}`)).toEqual({ status: 200, body: 'ok' })
    expect((await client.packets()).at(-1)).toBe(`42["hello",${JSON.stringify({ auth })}]`)
    return client
  }

  query(transport = 'polling'): string {
    return `EIO=4&transport=${transport}&sid=${this.sid}`
  }

  poll(): Promise<Answer> {
    return ask(this.name, this.query())
  }

  post(body: BodyInit): Promise<Answer> {
    return ask(this.name, this.query(), { method: 'POST', body })
  }

  async packets(): Promise<string[]> {
    const { status, body } = await this.poll()
    expect(status).toBe(200)
    return body.split('\x1e')
  }
}

async function ask(name: string, query: string, init: RequestInit = {}): Promise<Answer> {
  const response = await echoObject(name).fetch(`http://localhost/${name}/?${query}`, init)
  return { status: response.status, body: await response.text() }
}
