import type { Gained, RelationshipLevel } from '../../worker/wire/messages.ts'
import type { HeardFact, PersonState, RunView } from '../../worker/wire/run.ts'

/** News that a conversation on this page has reported and that the server's view of the run may not contain yet. */
export type TalkNews =
  | {
      readonly type: 'exchange'
      readonly npc: string
      /** When the exchange took place, in milliseconds since 1970. */
      readonly at: number
      readonly level: RelationshipLevel
      readonly gained: Gained
    }
  | ({ readonly type: 'end'; readonly npc: string } & Pick<PersonState, 'completion' | 'next'>)

/** Returns a run with the news from its conversations. Adding the same news a second time changes nothing. */
export function withNews(run: RunView, news: readonly TalkNews[]): RunView {
  return news.reduce((view, each) => (each.type === 'end' ? withEnd(view, each) : withExchange(view, each)), run)
}

/**
 * Returns the news that the server's view of the run (`run`) does not contain yet. If one piece of a colleague's news
 * is missing, the result also contains all later news of this colleague, so that the newest relationship level is
 * applied last. A run never loses a fact, an objective, a document or an end, so one that the view does not show is
 * missing. A relationship level can change back, so a difference alone proves nothing. The last level counts as missing
 * only if the view shows an older level: the level in `before`, or the level after an earlier exchange.
 *
 * @param before the server's view of the run as it was before the oldest piece of `news`
 */
export function newsMissingIn(run: RunView, news: readonly TalkNews[], before: RunView): readonly TalkNews[] {
  const waiting = new Set<string>()
  return news.filter((each) => {
    if (!(each.type === 'end' ? hasEnd(run, each) : hasExchange(run, each, news, before))) waiting.add(each.npc)
    return waiting.has(each.npc)
  })
}

type Exchange = Extract<TalkNews, { type: 'exchange' }>
type End = Extract<TalkNews, { type: 'end' }>

function withExchange(run: RunView, { npc, at, level, gained }: Exchange): RunView {
  const { facts = [], objective, documents = [] } = gained
  const heard = new Set(run.facts.map(({ id }) => id))
  const fresh = facts.filter(({ id }) => !heard.has(id)).map((fact) => ({ text: fact.said, ...fact, npc, at }))
  const told = run.facts.map((known) => {
    const again = facts.find(({ id }) => id === known.id)
    return again && isLater(again, known) ? { ...known, said: again.said, turn: again.turn } : known
  })
  const isEarned = run.objectives.some(({ id, npc: theirs }) => id === objective && theirs === npc)
  const papers = hasDocumentOf(run, npc) ? [] : documents.map((document) => ({ ...document, npc, at }))
  return {
    ...run,
    people: run.people.map((person) => {
      if (person.npc !== npc) return person
      const completion = isEarned && person.completion !== null ? 'earned' : person.completion
      return { ...person, level, completion, status: person.status === 'new' ? 'talking' : person.status }
    }),
    objectives: run.objectives.map((each) => (each.id === objective ? { ...each, state: 'met' } : each)),
    facts: [...told, ...fresh],
    documents: [...run.documents, ...papers],
  }
}

/** A colleague who tells a fact again tells it better, or says what only their document told. */
function isLater({ turn }: Pick<HeardFact, 'turn'>, known: Pick<HeardFact, 'turn'>): boolean {
  return turn !== null && turn > (known.turn ?? -1)
}

function withEnd(run: RunView, { npc, completion, next }: End): RunView {
  return {
    ...run,
    people: run.people.map((person) => (person.npc === npc ? { ...person, status: 'over', completion, next } : person)),
    objectives: run.objectives.map((each) =>
      each.npc === npc && each.state === 'open' ? { ...each, state: 'missed' } : each,
    ),
  }
}

function hasEnd({ people }: RunView, { npc }: End): boolean {
  return people.every((person) => person.npc !== npc || person.status === 'over')
}

function hasExchange(run: RunView, exchange: Exchange, news: readonly TalkNews[], before: RunView): boolean {
  const { npc, gained } = exchange
  const { facts = [], objective, documents = [] } = gained
  const heard = new Set(run.facts.map(({ id }) => id))
  return (
    facts.every(({ id }) => heard.has(id)) &&
    run.objectives.every(({ id, state }) => id !== objective || state === 'met') &&
    (documents.length === 0 || hasDocumentOf(run, npc)) &&
    !isLevelBehind(run, npc, news, before)
  )
}

function isLevelBehind(run: RunView, npc: string, news: readonly TalkNews[], before: RunView): boolean {
  const shown = personIn(run, npc)
  if (shown?.status === 'new') return true
  const told = news.flatMap((each) => (each.type === 'exchange' && each.npc === npc ? [each.level] : []))
  const earlier = [personIn(before, npc)?.level, ...told.slice(0, -1)]
  return shown !== undefined && shown.level !== told.at(-1) && earlier.includes(shown.level)
}

function personIn({ people }: RunView, npc: string): PersonState | undefined {
  return people.find((person) => person.npc === npc)
}

function hasDocumentOf({ documents }: RunView, npc: string): boolean {
  return documents.some((document) => document.npc === npc)
}

/** What the notebook gained between two views of a run. */
export interface Noted {
  readonly met: readonly string[]
  readonly count: number
}

/** Compares two views of one run and returns what the learner gained. Without an earlier view, returns no gain. */
export function notedBetween(before: RunView | null, after: RunView): Noted {
  if (before === null) return { met: [], count: 0 }
  const wasMet = new Set(before.objectives.filter(({ state }) => state === 'met').map(({ id }) => id))
  const known = new Set(before.facts.map(({ id }) => id))
  return {
    met: after.objectives.filter(({ id, state }) => state === 'met' && !wasMet.has(id)).map(({ title }) => title),
    count:
      after.facts.filter(({ id }) => !known.has(id)).length +
      Math.max(0, after.documents.length - before.documents.length),
  }
}
