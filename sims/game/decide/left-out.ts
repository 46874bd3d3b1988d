import type { RunView } from '../../../worker/wire/run.ts'

/** Who has not been heard out, in the order of the simulation. */
export interface LeftOut {
  /** They were never talked with. */
  readonly never: readonly string[]
  /** Their conversation is still open. */
  readonly open: readonly string[]
}

/** The colleagues who may know something that the learner does not. The guide knows nothing that decides. */
export function leftOut({ people }: Pick<RunView, 'people'>, guide: string | null): LeftOut {
  const colleagues = people.filter(({ npc }) => npc !== guide)
  return {
    never: colleagues.filter(({ status }) => status === 'new').map(({ npc }) => npc),
    open: colleagues.filter(({ status }) => status === 'talking').map(({ npc }) => npc),
  }
}
