import { type Finding, pointerTo } from '../../finding.ts'
import { found } from './found.ts'
import type { Subject } from './subject.ts'
import { atState } from './ways.ts'

/** Names that do not say what they name: G028. Those of states, and those references go by. */
export function lintNaming({ document }: Subject): readonly Finding[] {
  const names = [
    ...document.states.map((state) => ({ at: atState(state), name: state.name })),
    ...Object.keys(document.references).map((name) => ({ at: pointerTo('references', name), name })),
  ]
  return names.flatMap(({ at, name }) => {
    const complaint = complaintAbout(name)
    return complaint === null ? [] : found('G028', at, `${name} ${complaint}`)
  })
}

function complaintAbout(name: string): string | null {
  if (!/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(name))
    return 'is not in snake_case. Write it in small letters, words joined by _.'
  if (/(?:^|_)v\d+$/.test(name)) return 'has a version in its name. The graph has one already.'
  if (/^(?:state|step|node|stage|phase|action|screen|page)_?\d+$/.test(name))
    return 'is a number. Say what is done there, as in assess_pain.'
  if (NOTHING.has(name)) return 'says nothing. Say what is done there, as in assess_pain.'
  return null
}

const NOTHING = new Set(
  'state step node stage action decision temp tmp todo test foo bar untitled misc stuff'.split(' '),
)
