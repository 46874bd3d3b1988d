import type { TargetedKeyboardEvent } from 'preact'
import type { Refusal } from '../../worker/wire/messages.ts'
import { lastTurn, runningSpeech } from '../apply.ts'
import { shortName } from '../clean.ts'
import type { TranscriptState } from '../apply.ts'
import type { Conversation } from '../conversation.ts'
import { troubleOf } from '../store.ts'
import { Composer } from './composer.tsx'
import { Foot } from './foot.tsx'
import type { NextSays } from './foot.tsx'
import { Head } from './head.tsx'
import type { Notices } from './head.tsx'
import { PivotCards, answerPivot, areCardsOpen } from './pivot-cards.tsx'
import { TranscriptPane } from './transcript.tsx'

/**
 * The whole panel: the colleague, the transcript and the composer. After the conversation's end, the foot is above the
 * composer.
 */
export function Panel({
  conversation,
  onNext,
  nextSays,
  onClose,
  onMenu,
  notices,
}: {
  conversation: Conversation
  onNext: (npc: string) => void
  /** Returns the label of the foot's button. By default the label invites the learner to talk to the next colleague. */
  nextSays?: NextSays
  onClose?: (() => void) | undefined
  onMenu?: (button: HTMLElement) => void
  notices?: Notices
}) {
  const { store, params } = conversation
  const state = store.transcript.value
  const stage = store.stage.value
  const started = state.conversation !== null
  const refused = stage.name === 'refused' && <Refused {...stage} started={started} conversation={conversation} />
  const pivot = !refused && state.pivot
  const name = shortName(state.conversation?.npc.name ?? '')

  return (
    <div
      class="stage person"
      style={{ '--hue': state.conversation?.npc.hue ?? 265 }}
      onKeyDown={(event) => pickByNumber(event, conversation)}
    >
      <Head
        params={params}
        conversation={state.conversation}
        level={state.level}
        onClose={onClose}
        onMenu={onMenu}
        notices={notices}
      />
      {state.conversation?.assistant && <div class="agents" ref={(place) => void (place && params.assist?.(place))} />}
      {!started && refused ? (
        refused
      ) : (
        <>
          <div class="middle">
            <TranscriptPane conversation={conversation} />
            {!refused && <Banner conversation={conversation} />}
          </div>
          {pivot && <PivotCards pivot={pivot} name={name} conversation={conversation} />}
          {refused || (
            <Bottom
              state={state}
              name={name}
              conversation={conversation}
              onNext={onNext}
              nextSays={nextSays}
              onClose={onClose}
            />
          )}
        </>
      )}
    </div>
  )
}

function Bottom({
  state,
  name,
  conversation,
  onNext,
  nextSays,
  onClose,
}: {
  state: TranscriptState
  name: string
  conversation: Conversation
  onNext: (npc: string) => void
  nextSays: NextSays | undefined
  onClose: (() => void) | undefined
}) {
  const last = state.ended && state.items.findLast((item) => item.kind === 'closing')
  const closing = last ? last.closing : null
  const replying = runningSpeech(state) !== undefined
  const draft = conversation.store.draft.value
  return (
    <>
      {closing && (
        <Foot
          params={conversation.params}
          closing={closing}
          name={name}
          onNext={onNext}
          nextSays={nextSays}
          onClose={onClose}
        />
      )}
      <Composer
        name={name}
        // Pre-written replies answer one question better than two. The learner is told so twice.
        isAdvised={state.conversation?.speaker.kind === 'rehearsal' && lastTurn(state) < 2}
        conversation={conversation}
        replying={replying}
        draft={draft}
        closing={closing}
      />
    </>
  )
}

function Refused({
  refusal,
  begun,
  started,
  conversation,
}: {
  refusal: Refusal
  begun: boolean
  started: boolean
  conversation: Conversation
}) {
  const { texts } = conversation.params
  return (
    <div class={started ? 'foot' : 'refused'} role="alert">
      <p>{texts.whyRefused(refusal, begun)}</p>
      <button class="button" type="button" data-first onClick={() => conversation.retry()}>
        {texts.tryAgain}
      </button>
      {begun && refusal.next === 'sign-in' && (
        <button class="button" type="button" onClick={() => conversation.startOver()}>
          {texts.startOver}
        </button>
      )}
    </div>
  )
}

/** Shows what is wrong with the connection. The conversation announces the same text to screen readers. */
function Banner({ conversation }: { conversation: Conversation }) {
  const { store, params } = conversation
  const trouble = troubleOf(store, params.texts)
  if (!trouble) return null
  return (
    <div class="banner moves">
      <span>{trouble}</span>
      {store.online.value && (
        <button class="button small" type="button" onClick={() => conversation.retry()}>
          {params.texts.reconnect}
        </button>
      )}
    </div>
  )
}

/**
 * Picks a pivot's card when the learner presses a key from 1 to 9, unless the cards are folded or the composer contains
 * text.
 */
function pickByNumber(event: TargetedKeyboardEvent<HTMLElement>, conversation: Conversation): void {
  const { pivot } = conversation.store.transcript.value
  if (!pivot || !areCardsOpen(event.currentTarget) || !/^[1-9]$/.test(event.key) || event.isComposing) return
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (event.target instanceof HTMLTextAreaElement && event.target.value !== '') return
  event.preventDefault()
  answerPivot(conversation, pivot, Number(event.key) - 1)
}
