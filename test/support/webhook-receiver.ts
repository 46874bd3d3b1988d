import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

/**
 * How the receiver answers a request. With `hang`, it keeps the event, but does not answer before the test calls
 * `letGo`.
 */
export type Answer = { readonly status: number; readonly headers?: Readonly<Record<string, string>> } | 'hang' | 'reset'

export interface Delivery {
  readonly id: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The exact body of the request. */
  readonly raw: string
  readonly body: EventBody
  /** When the request arrived, in milliseconds since 1970. */
  readonly at: number
}

export interface EventBody {
  readonly type: string
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

/**
 * A receiver of webhooks, written as a customer would write it. It trusts a request only if the Standard Webhooks
 * library verifies it. It accepts each id once, even if the id arrives several times. Other requests are in
 * `unverified`.
 */
export class WebhookReceiver {
  /** Every verified request, in the order of arrival. */
  readonly deliveries: Delivery[] = []
  readonly unverified: string[] = []
  readonly taken = new Map<string, EventBody>()
  answer: (delivery: Delivery) => Answer = () => ({ status: 204 })
  // By default, Node closes a connection after five idle seconds. At that very moment, the sender might use the
  // connection to try again.
  readonly #server = createServer(
    { keepAliveTimeout: 600_000 },
    (request, response) => void this.#receive(request, response),
  )
  readonly #verifiers: readonly Webhook[]
  readonly #held: ServerResponse[] = []
  #waiting: (() => void)[] = []

  private constructor(secrets: readonly string[]) {
    this.#verifiers = secrets.map((secret) => new Webhook(secret))
  }

  /** Listens on a free port of this machine. A request is verified if any of the secrets verifies it. */
  static async start(...secrets: readonly string[]): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(secrets)
    receiver.#server.listen(0, '127.0.0.1')
    await once(receiver.#server, 'listening')
    return receiver
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hooks`
  }

  /** Returns the first value of `look` that is not undefined. Calls `look` again after each request. */
  async until<T>(look: () => T | undefined): Promise<T> {
    for (;;) {
      const found = look()
      if (found !== undefined) return found
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  /** Returns all deliveries when `count` deliveries have arrived. */
  arrivals(count: number): Promise<readonly Delivery[]> {
    return this.until(() => (this.deliveries.length >= count ? this.deliveries : undefined))
  }

  /** Answers all requests that were left without an answer because of `hang`. */
  letGo(status = 204): void {
    for (const response of this.#held.splice(0)) response.writeHead(status).end()
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // The connection breaks if the sender dies. For the receiver, this is no error.
    response.on('error', () => {})
    const parts: Buffer[] = []
    try {
      for await (const part of request) parts.push(part as Buffer)
    } catch {
      return
    }
    const raw = Buffer.concat(parts).toString('utf8')
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    if (!this.#isVerified(raw, headers)) {
      this.unverified.push(raw)
      response.writeHead(401).end()
      return
    }
    const delivery = {
      id: headers['webhook-id'] ?? '',
      path: request.url ?? '',
      headers,
      raw,
      body: JSON.parse(raw) as EventBody,
      at: Date.now(),
    }
    this.#answer(delivery, this.answer(delivery), response)
    this.deliveries.push(delivery)
    for (const wake of this.#waiting.splice(0)) wake()
  }

  #answer(delivery: Delivery, answer: Answer, response: ServerResponse): void {
    if (answer === 'reset') return void response.destroy()
    if (answer === 'hang' || answer.status < 300) this.#take(delivery)
    if (answer === 'hang') this.#held.push(response)
    else response.writeHead(answer.status, answer.headers).end('x'.repeat(1_000))
  }

  #take({ id, body }: Delivery): void {
    if (!this.taken.has(id)) this.taken.set(id, body)
  }

  #isVerified(raw: string, headers: Record<string, string>): boolean {
    return this.#verifiers.some((verifier) => {
      try {
        verifier.verify(raw, headers)
        return true
      } catch {
        return false
      }
    })
  }
}

/** Returns a secret with `bytes` bytes in the format of Standard Webhooks. */
export function webhookSecret(seed: number, bytes = 32): string {
  return `whsec_${Buffer.alloc(bytes, seed).toString('base64')}`
}
