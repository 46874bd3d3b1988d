import type { RunAddress } from '../address.ts'
import type { Desk } from '../desk.ts'
import * as texts from '../texts.ts'
import { contextStateAt } from '../workflow/history.ts'
import type { Known } from '../workflow/history.ts'
import { parentsOf } from '../workflow/tree.ts'
import { ConversationPart } from './conversation-part.tsx'
import { HeldData } from './held-data.tsx'
import { MomentTime, StatusMark, StatusWord } from './marks.tsx'
import { Versions } from './versions.tsx'

/** Shows everything about one context at the time that the operator selected. */
export function Details({ desk, view }: { desk: Desk; view: RunAddress }) {
  const { shown, time, known, contexts } = desk.store
  const context = shown.value
  if (!context) return null
  const state = contextStateAt(context, time.value)
  const { description } = state ?? context
  const { next, state: reading } = contexts.value
  const isElsewhere = view.context !== null && !known.value.has(view.context) && reading !== 'loading'
  return (
    <article class="pane details sheet" aria-labelledby="details" key={context.id}>
      {view.context !== null && (
        <button class="button to-tree" type="button" onClick={() => desk.go({ ...view, context: null })}>
          Back to the tree
        </button>
      )}
      {isElsewhere && (
        <p class="note">
          {next === null
            ? 'The context in the address isn’t in this run, or no longer exists. This is the run itself.'
            : 'The context in the address isn’t among those loaded so far. This is the run itself.'}
        </p>
      )}
      <h2 id="details" dir="auto" tabIndex={-1}>
        {(state ?? context).purpose}
      </h2>
      <p class="facts">
        <span class="with-mark">
          <StatusMark status={state?.status ?? null} />
          <StatusWord status={state?.status ?? null} />
        </span>
        {state && (
          <span>
            version {state.version}, by <bdi>{state.updatedBy}</bdi>, <MomentTime time={state.timestamp} />
          </span>
        )}
      </p>
      {!state && (
        <p class="note">
          It begins at <MomentTime time={context.createdAt} />.
        </p>
      )}
      {state && description !== null && (
        <p class="description" dir="auto">
          {description}
        </p>
      )}
      <Facts context={context} desk={desk} />
      {state && <HeldData desk={desk} context={context} />}
      <ConversationPart desk={desk} context={context} />
      <Versions desk={desk} context={context} />
    </article>
  )
}

function Facts({ context, desk }: { context: Known; desk: Desk }) {
  const { known, time } = desk.store
  const above = parentsOf(known.value, context.id).toReversed()
  const { completedAt } = context
  return (
    <>
      <dl class="facts-list">
        <dt>Space</dt>
        <dd>
          <bdi>{context.memorySpaceId}</bdi>
        </dd>
        {context.userId !== null && (
          <>
            <dt>Person</dt>
            <dd>
              <bdi>{context.userId}</bdi>
            </dd>
          </>
        )}
        {above.length > 0 && (
          <>
            <dt>Under</dt>
            <dd>
              <ol class="path">
                {above.map((parent) => (
                  <li key={parent.id}>
                    <bdi>{(contextStateAt(parent, time.value) ?? parent).purpose}</bdi>
                  </li>
                ))}
              </ol>
            </dd>
          </>
        )}
        <dt>Begun</dt>
        <dd>
          <MomentTime time={context.createdAt} />
        </dd>
        {completedAt !== null && (time.value === null || completedAt <= time.value) && (
          <>
            <dt>Completed</dt>
            <dd>
              <MomentTime time={completedAt} />, after {texts.lasted(completedAt - context.createdAt)}
            </dd>
          </>
        )}
        <dt>Taking part</dt>
        <dd>
          <ul class="people">
            {context.participants.map((participant) => (
              <li key={participant} dir="auto">
                {participant}
              </li>
            ))}
          </ul>
        </dd>
        <dt>Id</dt>
        <dd class="id">{context.id}</dd>
      </dl>
      {time.value !== null && (
        <p class="small">Who takes part, and what it is under, are as they are now: neither has versions.</p>
      )}
    </>
  )
}
