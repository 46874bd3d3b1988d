import { systemClock } from '../clock.ts'
import type { Config } from '../env.ts'
import { log } from '../log.ts'
import type { Learner } from '../trust/learner.ts'
import { ledgerNamed, createLedgers, type LedgerStub } from './ledgers.ts'
import { SessionBudget } from './session-budget.ts'
import { SpendingStore } from './spending-store.ts'

interface Whose {
  readonly session: string
  readonly learner: Learner
}

/**
 * How much longer a reservation lasts than the longest possible call, in milliseconds, so that its settlement is in
 * time.
 */
const LEASE_SLACK_MS = 60_000

/**
 * Creates the budget of the conversation whose Durable Object has the state `ctx`. If the deployment sets no limit for
 * several conversations together, no ledger is ever called.
 *
 * @param whose returns the conversation and its learner; null if the conversation has not begun
 */
export function openBudget(
  { budget, speaker }: Pick<Config, 'budget' | 'speaker'>,
  env: object,
  ctx: DurableObjectState,
  whose: () => Whose | null,
): SessionBudget {
  const now = () => Date.now()
  const ledgers = ledgersIn(env)
  const isShared = budget.money !== null || budget.tokensLearnerDay !== null
  const learner = () => {
    const known = whose()?.learner
    return known?.kind === 'verified' ? known.id : null
  }
  const leaseMs = LEASE_SLACK_MS + (speaker.kind === 'model' ? speaker.overallTimeoutMs : 0)
  return new SessionBudget({
    store: new SpendingStore(ctx.storage.sql),
    limits: budget,
    ledgers: isShared && ledgers ? createLedgers({ ledger: ledgers, budget, learner, leaseMs, now }) : null,
    now,
    after: (ms, task) => systemClock.after(ms, task),
    keep: (work) => ctx.waitUntil(work),
    log: (event, ids) => log(event, { session: whose()?.session ?? null, ...ids }),
  })
}

/**
 * Returns a function that gives access to a ledger by its name; null if the deployment has no binding `LEDGER`. Each
 * call makes a new stub (the access to one object), because a stub that has failed stays broken.
 */
function ledgersIn(env: object): ((name: string) => LedgerStub) | null {
  if (!('LEDGER' in env)) return null
  const namespace = env.LEDGER as DurableObjectNamespace
  return (name) => ledgerNamed(namespace, name) as unknown as LedgerStub
}
