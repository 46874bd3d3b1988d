import type { Lifetimes } from './credentials.ts'
import type { Signing } from './credential.ts'
import { type IdentitySettings, readIdentity } from './identity-config.ts'
import type { IdentityConfig } from './identity.ts'
import { type OriginPolicy, canonicalOrigin } from './origin.ts'
import { DEVELOPMENT_KEYS, readTokenKeys, isWeakText, LEAST_CHARACTERS } from './token-keys.ts'

/** The configuration that decides who may use the deployment. */
export interface TrustConfig {
  readonly origins: OriginPolicy
  readonly signing: Signing
  /**
   * True if the signing keys are the public development keys. Then the Worker must serve only requests to this machine
   * or a private network.
   */
  readonly isDevelopment: boolean
  readonly lifetimes: Lifetimes
  readonly identity: IdentityConfig
  /** The secret from which the ids of verified learners and the hashes of erased people's names are computed. */
  readonly learnerSecret: string
  /** The secret of the admin routes. Null if the deployment has no admin routes. */
  readonly adminSecret: string | null
}

/** The settings that decide who may use the deployment. The form of each value is checked already. */
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

/**
 * Reads the settings that decide who may use the deployment. Returns the configuration, and one message for every
 * problem. No message contains a setting's value ([trust-11]).
 */
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

/** The allowed origins, or the problem with the setting. */
export type ReadOrigins =
  | { readonly ok: true; readonly policy: OriginPolicy }
  | { readonly ok: false; readonly problem: string }

/**
 * If `WALKON_ORIGINS` is not set, the Worker's own pages and clients that are not pages are allowed. So development on
 * one machine needs no setting.
 */
const DEFAULT_ORIGINS: OriginPolicy = { self: true, none: true, exact: new Set() }

/** Reads `WALKON_ORIGINS`: exact origins, `self` and `none`, separated by spaces or commas ([trust-2]). */
function readOrigins(text: string): ReadOrigins {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  const origins = words.filter((word) => word !== 'self' && word !== 'none')
  if (words.length === 0 || origins.some((origin) => canonicalOrigin(origin) === null)) return { ok: false, problem }
  return {
    ok: true,
    policy: { self: words.includes('self'), none: words.includes('none'), exact: new Set(origins) },
  }
}

const problem =
  'must list exact origins as a browser writes them, such as https://school.example, besides the words self and none'
