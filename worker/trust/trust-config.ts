import type { Lifetimes } from './credentials.ts'
import type { Signing } from './credential.ts'
import { type IdentitySettings, readIdentity } from './identity-config.ts'
import type { IdentityConfig } from './identity.ts'
import type { OriginPolicy } from './origin.ts'
import { DEFAULT_ORIGINS, readOrigins } from './origins.ts'
import { DEVELOPMENT_KEYS, readTokenKeys } from './token-keys.ts'
import { isWeakText, LEAST_CHARACTERS } from './weak-secret.ts'

/** Whom this deployment lets in. */
export interface TrustConfig {
  readonly origins: OriginPolicy
  readonly signing: Signing
  /** The keys that sign are known to everybody: nobody from outside may be served. */
  readonly isDevelopment: boolean
  readonly lifetimes: Lifetimes
  readonly identity: IdentityConfig
  /** Names verified learners, and whom was erased. */
  readonly learnerSecret: string
  /** Null: there are no admin routes. */
  readonly adminSecret: string | null
}

/** The settings as they stand in the environment, each already of its form. */
export interface TrustSettings extends IdentitySettings {
  readonly WALKON_ORIGINS?: string | undefined
  readonly WALKON_DEPLOYMENT: string
  readonly WALKON_TOKEN_KEYS?: string | undefined
  readonly WALKON_TOKEN_SECONDS: number
  readonly WALKON_KEY_DAYS: number
  readonly WALKON_LEARNER_SECRET?: string | undefined
  readonly WALKON_ADMIN_SECRET?: string | undefined
}

const DAY_SECONDS = 86_400
const DEVELOPMENT_LEARNER_SECRET = 'walkon development secret, known to everybody'

/** What the settings come to, and everything that is wrong with them together. No problem repeats a value ([trust-11]). */
export function readTrust(settings: TrustSettings): { config: TrustConfig; problems: readonly string[] } {
  const origins = settings.WALKON_ORIGINS === undefined ? null : readOrigins(settings.WALKON_ORIGINS)
  const keys = settings.WALKON_TOKEN_KEYS === undefined ? null : readTokenKeys(settings.WALKON_TOKEN_KEYS)
  const identity = readIdentity(settings)
  const taken = keys?.ok ? keys.keys : DEVELOPMENT_KEYS
  const { WALKON_LEARNER_SECRET: learnerSecret, WALKON_ADMIN_SECRET: adminSecret } = settings
  const problems = [
    ...(origins?.ok === false ? [`WALKON_ORIGINS ${origins.problem}`] : []),
    ...(keys?.ok === false ? [`WALKON_TOKEN_KEYS ${keys.problem}`] : []),
    ...identity.problems,
    ...(keys !== null && learnerSecret === undefined
      ? ['WALKON_LEARNER_SECRET is missing: it names learners and whom was erased, and stays when keys are rotated']
      : []),
    ...weak('WALKON_LEARNER_SECRET', learnerSecret),
    ...weak('WALKON_ADMIN_SECRET', adminSecret),
  ]
  return {
    config: {
      origins: origins?.ok ? origins.policy : DEFAULT_ORIGINS,
      signing: { deployment: settings.WALKON_DEPLOYMENT, keys: taken.keys },
      isDevelopment: taken.isDevelopment,
      lifetimes: { token: settings.WALKON_TOKEN_SECONDS, key: settings.WALKON_KEY_DAYS * DAY_SECONDS },
      identity: identity.config,
      learnerSecret: learnerSecret ?? DEVELOPMENT_LEARNER_SECRET,
      adminSecret: adminSecret ?? null,
    },
    problems,
  }
}

function weak(name: string, secret: string | undefined): readonly string[] {
  if (secret === undefined || !isWeakText(secret)) return []
  return [`${name} can be guessed: it has to be ${LEAST_CHARACTERS} characters or more, drawn by chance`]
}
