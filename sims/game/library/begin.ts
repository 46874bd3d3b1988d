import { useState } from 'preact/hooks'
import type { Game } from '../game.ts'
import { problemOf } from '../run-api.ts'
import { stillHere } from '../game.ts'
import { t } from '../texts/texts.ts'

/**
 * Begins a run, stores its link and goes to its briefing. If the learner has gone to another screen meanwhile, shows a
 * note instead.
 *
 * @returns why the run could not begin, as a sentence for the learner; null if the run began
 */
export async function beginRun(
  game: Game,
  asked: { scenario: string; class?: string; nickname?: string },
): Promise<string | null> {
  const isStillHere = stillHere(game)
  try {
    const { run } = await game.api.start(asked)
    game.keepRun(run, asked.scenario)
    if (isStillHere()) game.go({ screen: 'briefing', run: run.id }, asked.class === undefined ? 'push' : 'replace')
    else game.note(t.shell.begunMeanwhile)
    return null
  } catch (error) {
    const why = whyNot(problemOf(error).code)
    if (!isStillHere()) game.note(why, 'trouble')
    return why
  }
}

/** Returns what a button that begins a run of a simulation shows, and the function for its press. */
export function useBegin(
  game: Game,
  scenario: string,
): {
  readonly waits: boolean
  /** Why the run could not begin; null if nothing has failed. */
  readonly trouble: string | null
  readonly begin: () => Promise<void>
} {
  const [state, setState] = useState<{ waits: boolean; trouble: string | null }>({ waits: false, trouble: null })
  const begin = async () => {
    if (state.waits) return
    setState({ waits: true, trouble: null })
    setState({ waits: false, trouble: await beginRun(game, { scenario }) })
  }
  return { ...state, begin }
}

function whyNot(code: string): string {
  switch (code) {
    case 'rate-limited':
      return t.shell.tooMany
    case 'unknown-class':
      return t.shell.unknownClass
    case 'class-full':
      return t.shell.classFull
    case 'class-closed':
      return t.shell.classClosed
    case 'too-many-codes':
      return t.shell.tooManyCodes
    case 'wrong-nickname':
      return t.shell.nicknameWrong
    case 'needs-model':
      return t.shell.needsModelSays
    case 'unknown-scenario':
      return t.shell.unknownSimulation
    default:
      return t.shell.notStarted
  }
}
