import { createHmac } from 'node:crypto'
import { createChainClient, type ChainClient } from '../../worker/chain/client/chain-client.ts'
import { DEVELOPMENT_TOKEN } from '../../worker/chain/tokens/token-text.ts'

/**
 * A configuration of the deployed worker. It adds routes for tests ("doors"), with which a test can make objects die
 * during an erasure.
 */
export const ERASURE_CONFIG = 'test/conversations/erasure-worker.toml'

const IDENTITY_SECRET = 'q7Vn2xKf9sTzR4wLbY8mJc3pHd6uGe1a'

/** Settings of a deployment in which websites identify learners and the server counts token usage. */
export const PEOPLE_VARS = {
  WALKON_IDENTITY: 'optional',
  WALKON_IDENTITY_SECRET: IDENTITY_SECRET,
  WALKON_TOKENS_LEARNER_DAY: '1000000000',
}

/** Returns the identity that a website sends for a learner. */
export function identityOf(user: string) {
  return { user, hash: createHmac('sha256', IDENTITY_SECRET).update(user).digest('hex') }
}

/** Returns a client with all permissions for the chain of the server's own tenant. */
export function chainOf({ url }: { readonly url: URL }): ChainClient {
  return createChainClient({ baseUrl: url.origin, token: DEVELOPMENT_TOKEN })
}
