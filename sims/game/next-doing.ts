import type { NextStep } from './next-step.ts'
import type { Route } from './route.ts'
import { t } from './texts/texts.ts'

/** What stands on the button of a next step. */
export function doingOf(next: NextStep, nameOf: (npc: string) => string): string {
  if (next.kind === 'decide') return t.shell.decide
  if (next.kind === 'debrief') return t.shell.debrief
  return next.kind === 'talking' ? t.shell.goOnWith(nameOf(next.npc)) : t.shell.talkTo(nameOf(next.npc))
}

/** Where it leads to. */
export function placeOf(next: NextStep, run: string): Route {
  if (next.kind === 'decide' || next.kind === 'debrief') return { screen: next.kind, run }
  return { screen: 'talk', run, npc: next.npc }
}
