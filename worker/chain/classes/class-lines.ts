import type { ClassView } from '../../wire/run.ts'

/**
 * A class as the lines of a table: one of names, then one for each learner. Times are ISO 8601, what is not there is empty. A
 * colleague's column says how far the learner has come with them.
 */
export function classLines({ learners, options }: ClassView): readonly (readonly string[])[] {
  const npcs = learners[0]?.people.map(({ npc }) => npc) ?? []
  const names = ['nickname', 'started', 'active', ...npcs, 'facts heard', 'facts', 'decision', 'verdict', 'run']
  return [
    names,
    ...learners.map(({ run, nickname, startedAt, activeAt, people, facts, option, verdict }) => [
      nickname,
      timeOf(startedAt),
      timeOf(activeAt),
      ...people.map(({ status }) => status),
      String(facts?.heard ?? ''),
      String(facts?.deciding ?? ''),
      options.find((each) => each.option === option)?.title ?? option ?? '',
      verdict ?? '',
      run,
    ]),
  ]
}

function timeOf(at: number): string {
  return new Date(at).toISOString()
}
