import { addressOf, onLinkClick } from '../address.ts'
import type { Desk } from '../desk.ts'
import { contextStateAt } from '../workflow/history.ts'
import { heldBy } from '../workflow/data.ts'
import type { HeldValue } from '../workflow/data.ts'
import type { Known } from '../workflow/history.ts'
import { parentsOf } from '../workflow/tree.ts'
import { ValueText } from './marks.tsx'

/**
 * Shows a context's own data, then the data that it inherits, grouped by the parent that it comes from. Marks each
 * value that replaces a parent's value of the same key.
 */
export function HeldData({ desk, context }: { desk: Desk; context: Known }) {
  const { known, time } = desk.store
  const bySource = Map.groupBy(heldBy(known.value, context.id, time.value), ({ from }) => from)
  const top = (parentsOf(known.value, context.id).at(-1) ?? context).parentId
  const isCutOff = top !== null && !known.value.has(top)
  return (
    <section aria-labelledby="data">
      <h3 id="data">Data</h3>
      {bySource.size === 0 && <p class="small">None.</p>}
      {[...bySource].map(([from, held]) => (
        <div key={from}>
          {from !== context.id && (
            <h4 class="from small">
              Inherited from <Source id={from} desk={desk} />
            </h4>
          )}
          <dl>
            {held.map((each) => (
              <Pair key={each.key} held={each} desk={desk} />
            ))}
          </dl>
        </div>
      ))}
      {isCutOff && <p class="small">A parent is outside this run, so more data may come from there.</p>}
    </section>
  )
}

function Pair({ held: { key, value, hides }, desk }: { held: HeldValue; desk: Desk }) {
  const [hidden] = hides
  return (
    <div class="pair">
      <dt dir="auto">{key}</dt>
      <dd>
        <ValueText value={value} />
        {hidden !== undefined && (
          <p class="small">
            Hides what comes from <Source id={hidden} desk={desk} />
          </p>
        )}
      </dd>
    </div>
  )
}

function Source({ id, desk }: { id: string; desk: Desk }) {
  const { known, time, view } = desk.store
  const from = known.value.get(id)
  const now = view.value
  if (!from || now.screen !== 'run') return <>{id}</>
  const target = { ...now, context: id }
  return (
    <a href={addressOf(target)} onClick={onLinkClick(() => desk.go(target))}>
      <bdi>{(contextStateAt(from, time.value) ?? from).purpose}</bdi>
    </a>
  )
}
