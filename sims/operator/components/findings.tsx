import { addressOf, onLinkClick } from '../address.ts'
import type { Desk } from '../desk.ts'
import * as texts from '../texts.ts'
import { Trouble } from './trouble.tsx'

/**
 * The most findings that the page lists. One repair usually fixes all findings of a kind, so the operator needs no
 * more.
 */
const MOST_SHOWN = 200

/**
 * The integrity check of the chain. The check runs only on request, because the service has to read the whole chain.
 */
export function Findings({ desk }: { desk: Desk }) {
  const findings = desk.store.findings.value
  const count = findings?.items.length ?? 0
  return (
    <section class="findings" aria-labelledby="integrity">
      <h2 id="integrity">Does it all fit together?</h2>
      <p>
        Looks at every context once: parents that are missing, circles, wrong roots, gaps in a history, wrong counts.
      </p>
      <button
        class="button"
        type="button"
        disabled={findings?.state === 'loading'}
        onClick={() => desk.checkIntegrity()}
      >
        {findings === null ? 'Check' : 'Check again'}
      </button>
      <p role="status">
        {findings?.state === 'loading' && 'Checking'}
        {findings?.state === 'ready' &&
          (count === 0 ? 'Everything fits together.' : `${texts.counted(count, 'thing does', 'things do')} not fit:`)}
      </p>
      {typeof findings?.state === 'object' && (
        <Trouble desk={desk} problem={findings.state} onAgain={() => desk.checkIntegrity()} />
      )}
      {findings !== null && count > 0 && (
        <ul class="list sheet">
          {findings.items.slice(0, MOST_SHOWN).map((finding, index) => {
            const { contextId } = finding
            const view = { screen: 'run', run: contextId, context: contextId, time: null } as const
            return (
              <li key={`${index} ${contextId}`} class="finding">
                {/* A finding that counts many contexts has no single context to link to. */}
                {contextId !== '' && (
                  <a href={addressOf(view)} onClick={onLinkClick(() => desk.go(view))}>
                    {contextId}
                  </a>
                )}
                <p>{texts.findingSentence(finding)}</p>
              </li>
            )
          })}
        </ul>
      )}
      {count > MOST_SHOWN && <p class="small">and {texts.counted(count - MOST_SHOWN, 'more', 'more')}</p>}
    </section>
  )
}
