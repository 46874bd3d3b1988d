import type { DebriefView, SimulationCard, TalkView } from '../../../worker/wire/run.ts'
import type { Game } from '../game.ts'
import { format, late } from '../texts/texts.ts'
import type { Cast } from '../people.ts'
import { hrefOf } from '../route.ts'
import { FoldedChapter } from './chapter.tsx'
import { CopyField, linkTo } from './copy-field.tsx'
import { dayForFileName, fileName, saveFile } from './save-file.ts'
import { anchorOf, placeMessages, transcriptJson, transcriptMarkdown } from './transcript.ts'
import type { PlacedMessage } from './transcript.ts'
import type { Follow } from './chapter.tsx'

/** A folded chapter with what the learner can take along: the transcript as a file or on paper, and the signed result. */
export function KeepChapter({
  debrief,
  card,
  cast,
  game,
}: {
  debrief: DebriefView
  card: SimulationCard
  cast: Cast
  game: Game
}) {
  const words = late.debrief
  const route = { screen: 'result', result: debrief.result } as const
  const save = (ending: string, type: string, text: string) => {
    const name = fileName([card.title, dayForFileName(debrief.run.decision?.at ?? debrief.run.startedAt)], ending)
    saveFile(name, type, text)
    game.note(words.saved(name))
  }
  return (
    <FoldedChapter id="keep" title={words.keepTitle}>
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
      <p class="small measure">{words.resultNote}</p>
      <CopyField label={words.resultLink} value={linkTo(route)} copy={words.copy} game={game} />
      <p class="screen">
        <a href={hrefOf(route)}>{words.openResult}</a>
      </p>
    </FoldedChapter>
  )
}

/** What was said in one conversation, folded. */
export function Transcript({ talk, name, follow }: { talk: TalkView; name: string; follow: Follow }) {
  const words = late.debrief
  const messages = placeMessages(talk.transcript)
  return (
    <details class="quiet transcript">
      <summary>{words.transcriptOf(messages.length)}</summary>
      {messages.length === 0 && <p class="small">{words.nothingSaid}</p>}
      <ol class="messages">
        {messages.map((message, index) => (
          <Line
            key={message.id}
            message={message}
            isNewTurn={message.turn !== null && message.turn !== messages[index - 1]?.turn}
            anchor={anchorOf(talk.npc, message.id)}
            name={name}
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
      <p class="words" dir="auto" lang={who === 'npc' ? 'x-authored' : undefined}>
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
