/**
 * The steps of a turn, numbered in the order in which a turn first reaches them. If a conversation's object dies in the
 * middle of a turn, it dies at one of these steps. No other code runs during consecutive `sync` steps. The platform
 * commits all writes of consecutive `sync` steps together, and sends no message to a client before that commit.
 * `docs/reference/turns.md` says what a death at each step leaves behind.
 */
export const STEPS = [
  { number: 1, name: 'accept', kind: 'sync', does: 'writes a message, its turn and its acknowledgement' },
  { number: 2, name: 'lease', kind: 'sync', does: 'has the alarm ring if nobody is heard of again' },
  { number: 3, name: 'acknowledge', kind: 'sync', does: 'tells the client that its message is taken' },
  { number: 4, name: 'announce', kind: 'sync', does: 'tells every client that a turn has begun' },
  { number: 5, name: 'open', kind: 'sync', does: 'opens the turn in the walk' },
  { number: 6, name: 'ask', kind: 'async', does: 'has inner work done' },
  { number: 7, name: 'keep', kind: 'sync', does: 'writes how far the turn has come' },
  { number: 8, name: 'speak', kind: 'async', does: 'has the reply spoken' },
  { number: 9, name: 'show', kind: 'sync', does: 'sends a piece of the reply' },
  { number: 10, name: 'apply', kind: 'sync', does: 'writes the end of the turn and all that follows from it' },
  { number: 11, name: 'tell', kind: 'sync', does: 'sends the end of the turn to every client' },
  { number: 12, name: 'done', kind: 'sync', does: 'writes that it was sent' },
  { number: 13, name: 'schedule', kind: 'async', does: 'sets the one alarm for whatever is due next' },
  { number: 14, name: 'claim', kind: 'sync', does: 'takes what is due from the outbox' },
  { number: 15, name: 'deliver', kind: 'async', does: 'brings it to its receiver' },
  { number: 16, name: 'settle', kind: 'sync', does: 'writes what became of it' },
  { number: 17, name: 'recover', kind: 'sync', does: 'takes up a turn that nobody runs' },
  { number: 18, name: 'cancel', kind: 'sync', does: 'ends a turn where the learner stopped it' },
  { number: 19, name: 'bring', kind: 'async', does: 'brings what happened into the chain' },
  { number: 20, name: 'brought', kind: 'sync', does: 'writes that it is there' },
  { number: 21, name: 'recollect', kind: 'sync', does: 'takes a conversation that has ended, to remember it' },
  { number: 22, name: 'pick', kind: 'async', does: 'has what is worth remembering picked' },
  { number: 23, name: 'remember', kind: 'sync', does: 'puts it away for the chain' },
] as const satisfies readonly Step[]

interface Step {
  readonly number: number
  readonly name: string
  readonly kind: 'sync' | 'async'
  readonly does: string
}

type Numbered = (typeof STEPS)[number]

export type StepName = Numbered['name']
export type SyncStep = Extract<Numbered, { kind: 'sync' }>['name']
export type AsyncStep = Extract<Numbered, { kind: 'async' }>['name']

/**
 * A function that is called before and after every step. In a test it may stop its caller; in a deployment it does
 * nothing.
 */
export type Probe = (step: StepName, when: 'before' | 'after') => void | Promise<void>

/** The probe of a deployment, which does nothing. */
export const NO_PROBE: Probe = () => {}

/** Runs a synchronous step. The probe is not awaited, because another message could arrive during an await. */
export function stepped<T>(probe: Probe, step: SyncStep, act: () => T): T {
  void probe(step, 'before')
  const result = act()
  void probe(step, 'after')
  return result
}

/** Runs an asynchronous step, and awaits the probe before and after it. */
export async function steppedAsync<T>(probe: Probe, step: AsyncStep, act: () => Promise<T>): Promise<T> {
  await probe(step, 'before')
  const result = await act()
  await probe(step, 'after')
  return result
}
