import type { Account, DebriefScenario } from './account.ts'
import { hasFound, type PlayRecord } from './run-view.ts'
import { splitSentences } from './facts-in.ts'
import { statedIn } from './stated-in.ts'
import { talkView } from './talk-view.ts'
import { deedsIn, didAll, type LearnerDeeds, openOptions } from './options.ts'
import type { EndingParagraph, OptionEnding, Scenario, Simulation } from '../scenario/scenario.ts'
import type {
  DebriefView,
  DecidingFact,
  DecisionView,
  EndingView,
  ResultView,
  RunView,
  TalkView,
} from '../../wire/run.ts'

/** A run in which the learner has decided. */
export type DecidedRun = RunView & { readonly decision: DecisionView }

/** Everything in a debrief except the run's signed result. */
export type Debrief = Omit<DebriefView, 'run' | 'result'> & { readonly run: DecidedRun }

/**
 * Builds the debrief of a run: how the run ended and why, including everything that the learner could not see before
 * deciding.
 *
 * @param scenario the version that is served now
 * @param accounts the accounts of the run's conversations, as far as they could be read
 * @returns null if no available version of the scenario has an ending for the decision
 */
export function debriefOf(scenario: DebriefScenario, run: DecidedRun, accounts: readonly Account[]): Debrief | null {
  const telling = [...accounts.map((account) => account.scenario), scenario].filter((each) => chosenIn(each, run))
  const told = telling.find(({ version }) => version === run.version) ?? telling.at(-1)
  const chosen = told && chosenIn(told, run)
  if (!told?.simulation || !chosen) return null
  const { simulation } = told
  const known = run.facts.map(({ id }) => id)
  const open = openOptions(told.decision, known, run.decision.option)
  const hidden = told.decision.options.filter(({ id }) => !open.some((option) => option.id === id))
  const hiddenTitles = hidden.map(({ title }) => title)
  const deeds = deedsOf(run, simulation, told.decision)
  // What the reason asks for is done in the story, whoever the learner has it from.
  const written = { heard: deeds.heard, cited: [...deeds.cited, ...deeds.stated] }
  return {
    run,
    ending: { ...endingView(chosen, told, simulation, written), ...wantingIn(chosen, simulation, written) },
    others: simulation.endings
      .filter((ending) => ending !== chosen && !hidden.some(({ id }) => id === ending.option))
      .map((other) => endingView(other, told, simulation, written)),
    facts: decidingFacts(simulation, run, deeds),
    skills: skillsOf(simulation),
    talks: told.npcs.flatMap(({ id }) => {
      const account = accounts.find(({ npc }) => npc === id)
      const talk = account && talkView(account)
      return talk ? [withoutTitles(talk, hiddenTitles)] : []
    }),
  }
}

/** Removes the titles of options that the learner has not earned from what a colleague thinks. */
function withoutTitles(talk: TalkView, hidden: readonly string[]): TalkView {
  const { accepts, opinion } = talk
  return {
    ...talk,
    accepts: accepts.filter((text) => !hidden.includes(text)),
    opinion: opinion && hidden.includes(opinion.rightCall) ? null : opinion,
  }
}

/**
 * Returns the ending of the option that was chosen, or undefined if this version of the scenario has no such ending.
 */
function chosenIn({ simulation }: DebriefScenario, { decision }: DecidedRun): OptionEnding | undefined {
  return simulation?.endings.find(({ option }) => option === decision.option)
}

/**
 * Returns the facts that the learner heard by the time of the decision, and those of them that the learner cited: that
 * the learner attached as evidence, or that the reason states. `stated` has what the reason states, heard or not,
 * without what the learner unticked.
 */
function deedsOf({ facts, decision }: DecidedRun, simulation: Simulation, asked: Scenario['decision']) {
  const { evidence, reason, unticked = [] } = decision
  const inTime = facts.filter((fact) => isHeardBy(decision, fact)).map(({ id }) => id)
  const heard = [...new Set([...inTime, ...evidence])]
  const stated = [...statedIn(reason, simulation.facts, asked)].filter((id) => !unticked.includes(id))
  const used = new Set([...evidence, ...stated])
  return { heard, cited: heard.filter((id) => used.has(id)), stated }
}

/** The facts without which the option cannot be earned decide it, so they come first. */
function endingView(
  { option, verdict, after, facts }: OptionEnding,
  { decision }: DebriefScenario,
  simulation: Simulation,
  deeds: LearnerDeeds,
): EndingView {
  const { title = option, needs = [] } = decision.options.find(({ id }) => id === option) ?? {}
  const speaking = facts.filter((id) => simulation.facts.some((fact) => fact.id === id && fact.deciding))
  return {
    option,
    title,
    verdict,
    after: after.flatMap((paragraph) => paragraphFor(paragraph, deeds)),
    facts: speaking.toSorted((a, b) => Number(needs.includes(b)) - Number(needs.includes(a))),
  }
}

/** Returns a paragraph as a learner with these deeds reads it; empty if it says nothing to that learner. */
function paragraphFor(paragraph: EndingParagraph, deeds: LearnerDeeds): readonly string[] {
  if (typeof paragraph === 'string') return [paragraph]
  const text = didAll(paragraph.when, deeds) ? paragraph.text : paragraph.otherwise
  return text === undefined ? [] : [text]
}

/** Returns what a learner with these deeds would have needed for the first paragraph that tells them the worse text. */
function wantingIn({ after }: OptionEnding, { facts }: Simulation, deeds: LearnerDeeds): Pick<EndingView, 'wanting'> {
  for (const paragraph of after) {
    if (typeof paragraph === 'string' || paragraph.otherwise === undefined || didAll(paragraph.when, deeds)) continue
    const [{ heard = [], cited = [] } = {}] = deedsIn(paragraph.when)
    const missing = [
      ...heard.filter((id) => !deeds.heard.includes(id)),
      ...cited.filter((id) => !deeds.cited.includes(id)),
    ]
    const fact = facts.find(({ id }) => id === missing[0])
    if (fact) {
      const [text = paragraph.otherwise] = splitSentences(paragraph.otherwise)
      return { wanting: { npc: fact.npc, heard: deeds.heard.includes(fact.id) ? fact.text : null, text } }
    }
  }
  return {}
}

/** Lists the skills that deciding facts show. A skill without such a fact is left out: nothing could prove it. */
function skillsOf({ skills, facts }: Simulation): DebriefView['skills'] {
  return skills.flatMap((skill) => {
    if (typeof skill === 'string') return []
    const shown = skill.facts.filter((id) => facts.some((fact) => fact.id === id && fact.deciding))
    return shown.length === 0 ? [] : [{ title: skill.title, facts: shown }]
  })
}

/**
 * Lists the facts that the right answer rests on. For each fact, tells whether the learner cited it in the decision,
 * heard it in time but did not cite it, or missed it. A fact heard only after the decision is missed. The text of a fact
 * that was never heard is left out while a further talk with its colleague, in this run or a new one, can still tell
 * it: until that colleague's conversation is over, or in a run that began again from another one.
 */
function decidingFacts(
  { facts }: Simulation,
  { facts: told, people, again }: DecidedRun,
  { heard, cited }: LearnerDeeds,
): DecidingFact[] {
  const isOver = (npc: string) => people.some((person) => person.npc === npc && person.status === 'over')
  return facts
    .filter(({ deciding }) => deciding)
    .map(({ id, npc, text }): DecidingFact => {
      const found = told.find((each) => each.id === id)
      const inTime = heard.includes(id) ? found : undefined
      return {
        id,
        npc,
        text: found || again !== null || isOver(npc) ? text : null,
        state: cited.includes(id) ? 'cited' : heard.includes(id) ? 'ignored' : 'missed',
        said: inTime?.said ?? null,
        turn: inTime?.turn ?? null,
      }
    })
}

/**
 * Tells whether a fact was heard by the time of the decision. A fact that is attached to the decision was heard by
 * then, even if two machines' clocks disagree.
 *
 * @param fact the fact's id, and when the learner heard the fact, in milliseconds since 1970
 */
export function isHeardBy(
  { evidence, at }: Pick<DecisionView, 'evidence' | 'at'>,
  fact: { readonly id: string; readonly at: number },
): boolean {
  return evidence.includes(fact.id) || fact.at <= at
}

/**
 * Summarises a debrief in names and numbers. The result has no words of the learner except the nickname, and nothing
 * that happened after the decision.
 *
 * @param plays the run's conversations, for the time when each objective was earned
 */
export function resultOf(
  { id, title, npcs }: Pick<Scenario, 'id' | 'title' | 'npcs'>,
  { run, ending, facts }: Debrief,
  plays: readonly PlayRecord[],
): ResultView {
  const count = (holds: (state: (typeof facts)[number]['state']) => boolean) =>
    facts.filter(({ state }) => holds(state)).length
  return {
    run: run.id,
    scenario: id,
    title,
    version: run.version,
    nickname: run.nickname,
    class: run.class?.title ?? null,
    again: run.again !== null,
    option: ending.option,
    optionTitle: ending.title,
    verdict: ending.verdict,
    facts: {
      deciding: facts.length,
      heard: count((state) => state !== 'missed'),
      cited: count((state) => state === 'cited'),
    },
    objectives: {
      met: run.objectives.filter(
        (objective) =>
          plays.some((play) => hadEarned(play, objective.id, run.decision.at)) ||
          isGuidesAndMet(objective.npc, npcs, plays, run.decision.at),
      ).length,
      of: run.objectives.length,
    },
    startedAt: run.startedAt,
    decidedAt: run.decision.at,
  }
}

/** Returns true if the colleague is a guide, and the learner had by a time what a guide is for. */
function isGuidesAndMet(npc: string, npcs: Scenario['npcs'], plays: readonly PlayRecord[], by: number): boolean {
  const guide = npcs.find(({ id, walk }) => id === npc && walk === 'guide')
  const metBy = plays.filter(({ metAt }) => (metAt ?? Infinity) <= by)
  return guide !== undefined && hasFound(npcs, guide, metBy)
}

function hadEarned({ earned, earnedAt, endedAt }: PlayRecord, objective: string, by: number): boolean {
  return earned.includes(objective) && (earnedAt[objective] ?? endedAt ?? Infinity) <= by
}
