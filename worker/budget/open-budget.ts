import { systemClock } from '../clock.ts'
import type { Config } from '../env.ts'
import { log } from '../log.ts'
import type { Learner } from '../trust/learner.ts'
import { ledgerNamed, createLedgers, type LedgerStub } from './ledgers.ts'
import { SessionBudget } from './session-budget.ts'
import { SpendingStore } from './spending-store.ts'

/** The conversation that a budget belongs to. */
interface Whose {
  readonly session: string
  readonly learner: Learner
}

/** Time that a settlement has to reach its ledger after the longest possible call, in milliseconds. */
const LEASE_SLACK_MS = 60_000

/**
 * Creates the budget of the conversation that a Durable Object stores. If the deployment sets no limit that several
 * conversations share, no ledger is ever called.
 *
 * @param whose returns the conversation and its learner, or null if the conversation was never begun; called whenever
 *   one of them is needed
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
 * Returns a function that makes a ledger's stub, or null if the deployment has no `LEDGER` binding. Each use makes a
 * new stub, because a stub that has failed stays broken.
 */
function ledgersIn(env: object): ((name: string) => LedgerStub) | null {
  if (!('LEDGER' in env)) return null
  const namespace = env.LEDGER as DurableObjectNamespace
  return (name) => ledgerNamed(namespace, name) as unknown as LedgerStub
}
