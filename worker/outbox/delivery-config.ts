import { destinationProblem } from './destination.ts'

/**
 * Where the deployment sends webhooks and e-mail. `webhook` is null if it sends no webhooks, `email` if it sends no
 * e-mail.
 */
export interface DeliveryConfig {
  readonly webhook: WebhookConfig | null
  readonly email: EmailConfig | null
  /** How long one attempt to deliver a message may take, in milliseconds. */
  readonly timeoutMs: number
}

export interface WebhookConfig {
  readonly url: string
  /**
   * Secrets of the form `whsec_…`, newest first. Every message has a signature for each secret, so that a receiver can
   * change to a new secret at any time.
   */
  readonly secrets: readonly string[]
}

export interface EmailConfig {
  readonly from: string
  readonly to: string
}

/** The delivery settings from the environment. The form of each value is checked already. */
export interface DeliverySettings {
  readonly WALKON_WEBHOOK_URL?: string | undefined
  readonly WALKON_WEBHOOK_SECRET?: string | undefined
  readonly WALKON_WEBHOOK_INSECURE?: 'true' | 'false' | undefined
  readonly WALKON_EMAIL_FROM?: string | undefined
  readonly WALKON_EMAIL_TO?: string | undefined
  readonly WALKON_DELIVERY_TIMEOUT_MS: number
}

/**
 * Reads the delivery settings. Returns the configuration, and one message for every problem. No message contains a
 * setting's value.
 */
export function readDelivery(settings: DeliverySettings): { config: DeliveryConfig; problems: readonly string[] } {
  const { WALKON_EMAIL_FROM: from, WALKON_EMAIL_TO: to } = settings
  const webhook = readWebhook(settings)
  const emailProblems = [
    ...(from === undefined && to !== undefined ? ['WALKON_EMAIL_FROM is missing: WALKON_EMAIL_TO needs a sender'] : []),
    ...(from !== undefined && to === undefined ? ['WALKON_EMAIL_TO is missing: nobody would get the mail'] : []),
  ]
  return {
    config: {
      webhook: webhook.config,
      email: from === undefined || to === undefined ? null : { from, to },
      timeoutMs: settings.WALKON_DELIVERY_TIMEOUT_MS,
    },
    problems: [...webhook.problems, ...emailProblems],
  }
}

function readWebhook(settings: DeliverySettings): { config: WebhookConfig | null; problems: readonly string[] } {
  const { WALKON_WEBHOOK_URL: url, WALKON_WEBHOOK_SECRET: secret } = settings
  if (url === undefined && secret === undefined) return { config: null, problems: [] }
  if (url === undefined)
    return unread(['WALKON_WEBHOOK_URL is missing: WALKON_WEBHOOK_SECRET signs nothing without it'])
  const wrong = destinationProblem(url, settings.WALKON_WEBHOOK_INSECURE === 'true')
  const problems = [
    ...(wrong === null ? [] : [`WALKON_WEBHOOK_URL ${wrong}`]),
    ...(secret === undefined ? ['WALKON_WEBHOOK_SECRET is missing: a receiver could believe no webhook'] : []),
  ]
  if (problems.length > 0 || secret === undefined) return unread(problems)
  return { config: { url: new URL(url).href, secrets: secret.split(/\s+/) }, problems: [] }
}

function unread(problems: readonly string[]): { config: null; problems: readonly string[] } {
  return { config: null, problems }
}

const MOST_SECRETS = 2
/** The length that Standard Webhooks requires of a secret, in bytes. */
const BYTES = { least: 24, most: 64 }

/**
 * Returns true if the text is one `whsec_` secret, or a new and a previous one with white space between them
 * ([outbox-15]).
 */
export function areSecrets(text: string): boolean {
  const secrets = text.split(/\s+/)
  return secrets.length <= MOST_SECRETS && secrets.every(isSecret)
}

function isSecret(text: string): boolean {
  const [, base64] = /^whsec_((?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(text) ?? []
  if (base64 === undefined) return false
  const bytes = (base64.replace(/=+$/, '').length * 3) >> 2
  return bytes >= BYTES.least && bytes <= BYTES.most
}
