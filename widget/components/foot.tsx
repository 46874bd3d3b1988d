import type { PersonView } from '../../worker/wire/messages.ts'
import type { Closing } from '../apply.ts'
import { shortName } from '../clean.ts'
import type { ConversationParams } from '../conversation.ts'
import { Portrait } from './portrait.tsx'

/** Returns the label of the foot's button, and the person to whom the button leads; null if it leads to nobody. */
export type NextSays = (next: PersonView) => readonly [label: string, person: PersonView | null]

/**
 * The foot of the panel after the conversation has ended, above the composer. Shows the next colleague and one button,
 * in one row, because the paper that the colleague handed over needs the height. Why this colleague is next, the last
 * message has said.
 */
export function Foot({
  params,
  closing,
  name,
  onNext,
  nextSays = (person) => [params.texts.talkTo(shortName(person.name)), person],
  onClose,
}: {
  params: ConversationParams
  closing: Closing
  name: string
  onNext: (npc: string) => void
  nextSays?: NextSays | undefined
  onClose: (() => void) | undefined
}) {
  const { next } = closing
  if (!next) {
    return (
      <div class="foot">
        <p>{params.texts.closingOver(name)}</p>
        {onClose && (
          <button class="button main" type="button" data-first onClick={onClose}>
            {params.texts.close}
          </button>
        )}
      </div>
    )
  }
  const [label, person] = nextSays(next)
  return (
    <div class="foot">
      {person && (
        <div class="next person" style={{ '--hue': person.hue }}>
          <Portrait params={params} person={person} level="neutral" size={40} />
          <div>
            <h3>{person.name}</h3>
            <p class="role">{person.role}</p>
          </div>
        </div>
      )}
      <button class="button main" type="button" data-first onClick={() => onNext(next.id)}>
        {label}
      </button>
    </div>
  )
}
