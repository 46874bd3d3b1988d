import { builtScenarios } from '../../../build/catalogue.ts'
import { ledgerNamed, learnerLedgers } from '../../budget/ledgers.ts'
import { RUN_SPACE } from '../runs/begin-conversation.ts'
import { BY } from '../runs/own-scope.ts'
import type { ErasureStart, ErasureJob, Erasing } from './erasing.ts'

/** The methods of the three Durable Objects that this file calls. */
interface Conversation {
  erase(): Promise<void>
}
interface Ledger {
  isThere(): Promise<boolean>
  erase(): Promise<void>
}
interface Eraser {
  begin(job: ErasureJob): Promise<ErasureStart>
}

/**
 * Makes an `Erasing` from a deployment's bindings. Conversations and ledgers (objects that count usage) belong to the
 * deployment. Any tenant other than the deployment's own gets no access to these objects, even if it knows their names.
 *
 * @throws from a method, if the deployment has no binding for the object that the method needs
 */
export function erasingIn(env: object, isOwn: boolean): Erasing {
  const namespace = (name: string) => {
    const bound: unknown = Reflect.get(env, name)
    if (bound === undefined) throw new Error(`the deployment has no binding ${name}`)
    return bound as DurableObjectNamespace
  }
  const ledgersOf = (learner: string, now: number): Ledger[] =>
    isOwn && 'LEDGER' in env
      ? learnerLedgers(learner, now).map((name) => ledgerNamed(namespace('LEDGER'), name) as unknown as Ledger)
      : []
  return {
    ownNames: isOwn ? [BY, RUN_SPACE, ...builtScenarios.flatMap(({ npcs }) => npcs)] : [],
    async conversation(session) {
      if (!isOwn) return
      const conversations = namespace('CONVERSATIONS')
      const id = idIn(conversations, session)
      if (id) await (conversations.get(id) as unknown as Conversation).erase()
    },
    async countLedgers(learner, now) {
      const there = await Promise.all(ledgersOf(learner, now).map((ledger) => ledger.isThere()))
      return there.filter(Boolean).length
    },
    async eraseLedgers(learner, now) {
      await Promise.all(ledgersOf(learner, now).map((ledger) => ledger.erase()))
    },
    begin(job) {
      return (namespace('ERASURES').getByName(job.id) as unknown as Eraser).begin(job)
    },
  }
}

function idIn(namespace: DurableObjectNamespace, session: string): DurableObjectId | null {
  try {
    return namespace.idFromString(session)
  } catch {
    return null
  }
}
