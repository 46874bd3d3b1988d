import * as z from 'zod'
import { isOpenAiHost, type OpenAiActorOptions } from './actor/openai-actor.ts'
import { type BudgetConfig, readBudget } from './budget/budget-config.ts'
import { type DeliveryConfig, readDelivery, areSecrets } from './outbox/delivery-config.ts'
import { readTrust, type TrustConfig } from './trust/trust-config.ts'

/** The configuration of a deployment. */
export interface Config {
  readonly speaker: SpeakerConfig
  /** The pause between two words of the rehearsal actor, in milliseconds. */
  readonly rehearsalPaceMs: number
  /**
   * The lease of a turn, in milliseconds. A turn without progress for this long is aborted. The lease should be longer
   * than the time limits of a call to the model, so that a slow call ends by its own limit first.
   */
  readonly turnLeaseMs: number
  /** How long a conversation gathers what its run should have before it hands it over, in milliseconds. */
  readonly gatherMs: number
  readonly delivery: DeliveryConfig
  readonly budget: BudgetConfig
  /**
   * The engine of new conversations: `graph` is the walker, `legacy` the older count-based engine
   * (docs/reference/legacy.md). With `ab`, each new conversation gets one of the two by chance.
   */
  readonly engine: 'graph' | 'legacy' | 'ab'
  /**
   * The separator line between a reply's speech and its report. `plain`: the line is always the same. `nonce`: the line
   * contains random characters ([forgery-10]).
   */
  readonly separator: 'plain' | 'nonce'
  readonly trust: TrustConfig
  /** Data that nobody has used for this many days is deleted. Null: no data is deleted. */
  readonly retentionDays: number | null
}

export type SpeakerConfig = { readonly kind: 'rehearsal' } | ModelConfig

export type ModelConfig = { readonly kind: 'model' } & Omit<OpenAiActorOptions, 'clock'>

/**
 * Thrown if the Worker's environment is not a valid configuration. The message names each invalid variable and its
 * problem, but no value.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`Walkon cannot start:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

const OPENAI_BASE_URL = 'https://api.openai.com/v1'
const OPENAI_MODEL = 'gpt-5.4-mini'
/** The key that is sent to a model's server that needs none. */
const NO_KEY = 'none'

/** The configurations that this isolate has read, by the environment's object. */
const configs = new WeakMap<object, Config>()

/**
 * Returns the configuration of a deployment. An isolate reads it once for each object that it gets as the environment,
 * because its settings never change.
 *
 * @throws ConfigError
 */
export function configOf(env: object): Config {
  const known = configs.get(env)
  if (known !== undefined) return known
  const config = readConfig({ ...env })
  configs.set(env, config)
  return config
}

/**
 * Reads the configuration from the Worker's environment ([model-1] to [model-5] of `docs/reference/models.md`,
 * [outbox-13] to [outbox-15] of `docs/reference/side-effects.md`, the rules of `docs/reference/trust.md`). An empty
 * value counts as missing.
 *
 * @throws ConfigError with every problem, not only the first
 */
export function readConfig(env: Record<string, unknown>): Config {
  const given = Object.entries(env).map(([name, value]) => [name, blankIsNone(value)] as const)
  const read = bindings.safeParse(Object.fromEntries(given))
  if (!read.success) throw new ConfigError(read.error.issues.map(problemOf))
  const speaker = readSpeaker(read.data)
  const delivery = readDelivery(read.data)
  const budget = readBudget(read.data, { hasLedger: !('CONVERSATIONS' in env) || env['LEDGER'] !== undefined })
  const trust = readTrust(read.data)
  const problems = [
    ...(speaker.ok ? [] : speaker.problems),
    ...delivery.problems,
    ...budget.problems,
    ...trust.problems,
  ]
  if (!speaker.ok || problems.length > 0) throw new ConfigError(problems)
  return {
    speaker: speaker.config,
    delivery: delivery.config,
    budget: budget.config,
    rehearsalPaceMs: read.data.WALKON_REHEARSAL_PACE_MS,
    turnLeaseMs: read.data.WALKON_TURN_LEASE_MS,
    gatherMs: read.data.WALKON_GATHER_MS,
    engine: read.data.WALKON_ENGINE,
    separator: read.data.WALKON_SEPARATOR,
    trust: trust.config,
    retentionDays: read.data.WALKON_RETENTION_DAYS ?? null,
  }
}

type Bindings = z.infer<typeof bindings>

type ReadSpeaker =
  | { readonly ok: true; readonly config: SpeakerConfig }
  | { readonly ok: false; readonly problems: readonly string[] }

function readSpeaker(env: Bindings): ReadSpeaker {
  const { OPENAI_BASE_URL: url, OPENAI_MODEL: model, OPENAI_API_KEY: key } = env
  if (url === undefined && key === undefined) {
    if (model === undefined) return { ok: true, config: { kind: 'rehearsal' } }
    const problem = 'OPENAI_MODEL names a model, but nothing says where: set OPENAI_API_KEY or OPENAI_BASE_URL too'
    return { ok: false, problems: [problem] }
  }

  const baseURL = url ?? OPENAI_BASE_URL
  const isOpenAi = isOpenAiHost(baseURL)
  const problems = [
    ...(isOpenAi && key === undefined ? ['OPENAI_API_KEY is missing: OpenAI answers nobody without one'] : []),
    ...(!isOpenAi && model === undefined
      ? ['OPENAI_MODEL is missing: OPENAI_BASE_URL needs the name of a model it serves']
      : []),
  ]
  if (problems.length > 0) return { ok: false, problems }

  const config: SpeakerConfig = {
    kind: 'model',
    baseURL,
    model: model ?? OPENAI_MODEL,
    apiKey: key ?? NO_KEY,
    ...(env.WALKON_MODEL_TOKEN_PARAMETER === undefined ? {} : { tokenParameter: env.WALKON_MODEL_TOKEN_PARAMETER }),
    ...(env.WALKON_MODEL_STRUCTURED === undefined ? {} : { structured: env.WALKON_MODEL_STRUCTURED }),
    ...(env.WALKON_MODEL_USAGE === undefined ? {} : { usage: env.WALKON_MODEL_USAGE }),
    idleTimeoutMs: env.WALKON_MODEL_IDLE_MS,
    overallTimeoutMs: env.WALKON_MODEL_OVERALL_MS,
    maxOutputTokens: env.WALKON_MODEL_MAX_TOKENS,
    maxOutputCharacters: env.WALKON_MODEL_MAX_CHARACTERS,
  }
  return { ok: true, config }
}

/** Matches one e-mail address without a display name, brackets or a second address. */
const ONE_ADDRESS = /^[^\s@<>()[\],;:\\"]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/i

const bindings = z
  .object({
    OPENAI_BASE_URL: text((value) =>
      value.refine(isBaseUrl, 'must be an http or https address without a user, query or fragment'),
    ),
    OPENAI_MODEL: text((value) => value.max(200, 'must be at most 200 characters')),
    // A key pasted with a line break would otherwise fail only at the first request, without a clear reason.
    OPENAI_API_KEY: text((value) => value.regex(/^[\x21-\x7e]{1,4096}$/, 'must be printable ASCII without spaces')),
    WALKON_REHEARSAL_PACE_MS: whole(0, 5_000, 40),
    WALKON_TURN_LEASE_MS: whole(500, 900_000, 60_000),
    WALKON_GATHER_MS: whole(0, 900_000, 120_000),
    WALKON_ENGINE: z.enum(['graph', 'legacy', 'ab'], 'must be graph, legacy or ab').default('graph'),
    WALKON_SEPARATOR: z.enum(['plain', 'nonce'], 'must be plain or nonce').default('plain'),
    WALKON_MODEL_IDLE_MS: whole(100, 600_000, 20_000),
    WALKON_MODEL_OVERALL_MS: whole(100, 600_000, 50_000),
    WALKON_MODEL_MAX_TOKENS: whole(16, 100_000, 1_000),
    WALKON_MODEL_MAX_CHARACTERS: whole(200, 200_000, 8_000),
    WALKON_MODEL_TOKEN_PARAMETER: z
      .enum(['max_completion_tokens', 'max_tokens'], 'must be max_completion_tokens or max_tokens')
      .optional(),
    WALKON_MODEL_STRUCTURED: z
      .enum(['json_schema', 'json_object', 'none'], 'must be json_schema, json_object or none')
      .optional(),
    WALKON_MODEL_USAGE: z.enum(['asked', 'none'], 'must be asked or none').optional(),
    WALKON_TURNS_MINUTE: whole(1, 6_000, 20),
    WALKON_TURNS_SESSION: whole(1, 100_000, 120),
    WALKON_TOKENS_SESSION: whole(1_000, 1_000_000_000_000, 8_000_000),
    WALKON_TOKENS_LEARNER_DAY: wholeOrNone(1_000, 1_000_000_000_000),
    WALKON_MONEY_DAY: z.coerce.string().optional(),
    WALKON_PRICE_INPUT: z.coerce.string().optional(),
    WALKON_PRICE_OUTPUT: z.coerce.string().optional(),
    WALKON_WEBHOOK_URL: text((value) => value.max(2_000, 'must be at most 2000 characters')),
    WALKON_WEBHOOK_SECRET: text((value) =>
      value.refine(areSecrets, 'must be whsec_ and the base64 of 24 to 64 bytes; or two such, separated by a space'),
    ),
    WALKON_WEBHOOK_INSECURE: z.enum(['true', 'false'], 'must be true or false').optional(),
    WALKON_EMAIL_FROM: text((value) => value.max(254, 'must be one address').regex(ONE_ADDRESS, 'must be one address')),
    WALKON_EMAIL_TO: text((value) => value.max(254, 'must be one address').regex(ONE_ADDRESS, 'must be one address')),
    WALKON_DELIVERY_TIMEOUT_MS: whole(100, 60_000, 15_000),
    WALKON_ORIGINS: text((value) => value.max(8_000, 'must be at most 8000 characters')),
    WALKON_DEPLOYMENT: z
      .string('must be text')
      .regex(/^[\w.:-]{1,64}$/, 'must be 1 to 64 of letters, digits and . : _ -')
      .default('walkon'),
    WALKON_TOKEN_KEYS: text((value) => value.max(4_000, 'must be at most 4000 characters')),
    WALKON_TOKEN_SECONDS: whole(5, 43_200, 900),
    WALKON_KEY_DAYS: whole(1, 366, 30),
    WALKON_IDENTITY: z.enum(['off', 'optional', 'required'], 'must be off, optional or required').optional(),
    WALKON_IDENTITY_KEYS: text((value) => value.max(16_000, 'must be at most 16000 characters')),
    WALKON_IDENTITY_ISSUER: text((value) => value.max(500, 'must be at most 500 characters')),
    WALKON_IDENTITY_AUDIENCE: text((value) => value.max(500, 'must be at most 500 characters')),
    WALKON_IDENTITY_SECRET: text((value) => value.max(500, 'must be at most 500 characters')),
    WALKON_LEARNER_SECRET: text((value) => value.max(500, 'must be at most 500 characters')),
    WALKON_RETENTION_DAYS: wholeOrNone(1, 3_650),
    WALKON_ADMIN_SECRET: text((value) => value.regex(/^[\x21-\x7e]{1,500}$/, 'must be printable ASCII without spaces')),
  })
  .refine((env) => env.WALKON_MODEL_IDLE_MS <= env.WALKON_MODEL_OVERALL_MS, {
    path: ['WALKON_MODEL_IDLE_MS'],
    message: 'must not be longer than WALKON_MODEL_OVERALL_MS',
  })

function text(narrow: (value: z.ZodString) => z.ZodString) {
  return narrow(z.string('must be text')).optional()
}

function whole(least: number, most: number, otherwise: number) {
  return numberIn(least, most).default(otherwise)
}

function wholeOrNone(least: number, most: number) {
  return numberIn(least, most).optional()
}

function numberIn(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`
  return z.coerce.number(message).int(message).min(least, message).max(most, message)
}

function blankIsNone(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const trimmed = value.trim()
  return trimmed === '' ? undefined : trimmed
}

function isBaseUrl(value: string): boolean {
  const url = URL.parse(value)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return false
  return url.username === '' && url.password === '' && url.search === '' && url.hash === ''
}

function problemOf(issue: z.core.$ZodIssue): string {
  return `${issue.path.join('.')} ${issue.message}`
}
