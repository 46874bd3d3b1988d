import type { DebriefView, SimulationCard, TalkView } from '../../../worker/wire/run.ts'
import type { Game } from '../game.ts'
import { format, late } from '../texts/texts.ts'
import type { Cast } from '../people.ts'
import { Chapter } from './chapter.tsx'
import { dayForFileName, fileName, saveFile } from './save-file.ts'
import { anchorOf, placeMessages, transcriptJson, transcriptMarkdown } from './transcript.ts'
import type { PlacedMessage } from './transcript.ts'
import type { Follow } from './chapter.tsx'

/** A chapter with the whole transcript, which the learner can read, save and print. */
export function TranscriptChapter({
  debrief,
  card,
  cast,
  game,
  follow,
}: {
  debrief: DebriefView
  card: SimulationCard
  cast: Cast
  game: Game
  follow: Follow
}) {
  const words = late.debrief
  const save = (ending: string, type: string, text: string) => {
    const name = fileName([card.title, dayForFileName(debrief.run.decision?.at ?? debrief.run.startedAt)], ending)
    saveFile(name, type, text)
    game.note(words.saved(name))
  }
  return (
    <Chapter id="transcript" title={words.transcriptTitle}>
      <p class="small measure screen">{words.transcriptNote}</p>
      <div class="tools screen">
        <button
          class="button"
          type="button"
          onClick={() =>
            save('md', 'text/markdown', transcriptMarkdown({ debrief, card, cast, words, when: format.dateTime }))
          }
        >
          {words.saveMarkdown}
        </button>
        <button
          class="button"
          type="button"
          onClick={() => save('json', 'application/json', transcriptJson(debrief, card, cast))}
        >
          {words.saveJson}
        </button>
        <button class="button" type="button" onClick={() => print()}>
          {words.print}
        </button>
      </div>
      {debrief.talks.map((talk) => (
        <Talk key={talk.npc} talk={talk} cast={cast} follow={follow} />
      ))}
    </Chapter>
  )
}

function Talk({ talk, cast, follow }: { talk: TalkView; cast: Cast; follow: Follow }) {
  const words = late.debrief
  const person = cast.person(talk.npc)
  const messages = placeMessages(talk.transcript)
  return (
    <details class="fold person" style={{ '--hue': String(person.hue) }}>
      <summary>
        {words.transcriptWith(person.name)} <span class="small">{words.messages(messages.length)}</span>
      </summary>
      {messages.length === 0 && <p class="small">{words.nothingSaid}</p>}
      <ol class="messages">
        {messages.map((message, index) => (
          <Line
            key={message.id}
            message={message}
            isNewTurn={message.turn !== null && message.turn !== messages[index - 1]?.turn}
            anchor={anchorOf(talk.npc, message.id)}
            name={person.name}
            follow={follow}
          />
        ))}
      </ol>
    </details>
  )
}

function Line({
  message: { who, text, turn },
  isNewTurn,
  anchor,
  name,
  follow,
}: {
  message: PlacedMessage
  isNewTurn: boolean
  anchor: string
  name: string
  follow: Follow
}) {
  const words = late.debrief
  return (
    <li id={anchor} class="message" data-who={who} tabIndex={-1}>
      {isNewTurn && turn !== null && <p class="turn small">{words.turn(turn)}</p>}
      <p class="who">{who === 'learner' ? words.you : name}</p>
      <p class="words" dir="auto" lang={who === 'npc' ? 'en' : undefined}>
        {text}
      </p>
      {follow.at === anchor && (
        <button class="link screen" type="button" onClick={follow.back}>
          {words.backToFact}
        </button>
      )}
    </li>
  )
}
