import type { Game } from '../game.ts'
import { problemOf } from '../problem-of.ts'
import { t } from '../texts/texts.ts'

/** Begins a run, keeps its link and goes to its briefing. Returns what to tell the learner when it could not be begun. */
export async function begin(
  game: Game,
  asked: { scenario: string; class?: string; nickname?: string },
): Promise<string | null> {
  try {
    const { run } = await game.api.start(asked)
    game.keepRun(run, asked.scenario)
    game.go({ screen: 'briefing', run: run.id }, asked.class === undefined ? 'push' : 'replace')
    return null
  } catch (error) {
    return whyNot(problemOf(error).code)
  }
}

function whyNot(code: string): string {
  switch (code) {
    case 'rate-limited':
      return t.shell.tooMany
    case 'unknown-class':
      return t.shell.unknownClass
    case 'class-full':
      return t.shell.classFull
    case 'wrong-nickname':
      return t.shell.nicknameWrong
    case 'unknown-scenario':
      return t.shell.unknownSimulation
    default:
      return t.shell.notStarted
  }
}
