import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hrefOf, readRoute } from '../../../sims/game/route.ts'
import type { Route } from '../../../sims/game/route.ts'

const id = fc.stringMatching(/^[a-z0-9-]{1,20}$/)
const key = fc.stringMatching(/^[\w-]{1,40}\.[\w-]{1,40}\.[\w-]{1,40}$/)
const run = fc.stringMatching(/^ctx_[\w-]{1,20}$/)

const anyRoute: fc.Arbitrary<Route> = fc.oneof(
  fc.constantFrom<Route>({ screen: 'library' }, { screen: 'teach' }),
  id.map((simulation): Route => ({ screen: 'library', simulation })),
  id.map((code): Route => ({ screen: 'join', code })),
  fc
    .tuple(fc.constantFrom('link' as const, 'class' as const), key)
    .map(([screen, each]): Route => ({ screen, key: each })),
  key.map((result): Route => ({ screen: 'result', result })),
  fc
    .tuple(
      fc.constantFrom('briefing' as const, 'desk' as const, 'notebook' as const, 'decide' as const, 'debrief' as const),
      run,
    )
    .map(([screen, each]): Route => ({ screen, run: each })),
  fc.tuple(run, id).map(([each, npc]): Route => ({ screen: 'talk', run: each, npc })),
)

describe('addresses', () => {
  it('[page-6] every place has an address that leads back to it', () => {
    fc.assert(
      fc.property(anyRoute, (route) => {
        expect(readRoute(hrefOf(route))).toEqual(route)
      }),
    )
  })

  it('[page-6] any address without a meaning is the library', () => {
    for (const hash of [
      '',
      '#',
      '#/',
      '#/nothing',
      '#/run',
      '#/run/../../etc',
      '#/run/ctx_<b>/desk',
      '#/join/',
      '#/link',
    ])
      expect(readRoute(hash)).toEqual({ screen: 'library' })
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (hash) => {
        expect(readRoute(`#${hash}`).screen).toBeTypeOf('string')
      }),
    )
  })

  it('[page-6] a run with an unknown screen, or a talk without a colleague, is its desk', () => {
    expect(readRoute('#/run/ctx_a')).toEqual({ screen: 'desk', run: 'ctx_a' })
    expect(readRoute('#/run/ctx_a/elsewhere')).toEqual({ screen: 'desk', run: 'ctx_a' })
    expect(readRoute('#/run/ctx_a/talk')).toEqual({ screen: 'desk', run: 'ctx_a' })
  })
})
