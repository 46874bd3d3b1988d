import { textKeeper } from '../notebook/text-keeper.ts'
import { isEmpty, readDraft } from './draft.ts'
import type { Draft } from './draft.ts'

const keeper = textKeeper('walkon-game|decision|')

/** The decision of a run that was not sent yet, as it was left here. */
export function keptDraft(run: string): Draft {
  return readDraft(keeper.read(run))
}

export function keepDraft(run: string, draft: Draft): void {
  if (isEmpty(draft)) keeper.forget(run)
  else keeper.write(run, JSON.stringify(draft))
}

export function forgetDraft(run: string): void {
  keeper.forget(run)
}
