import { useEffect, useState } from 'preact/hooks'
import type { ClassInvitation } from '../../../worker/wire/run.ts'
import { Missing, NotGot, Skeleton } from '../components/missing.tsx'
import type { Game } from '../game.ts'
import { problemOf } from '../run-api.ts'
import type { RunApiError } from '../run-api.ts'
import { t } from '../texts/texts.ts'
import { beginRun } from './begin.ts'
import { cardOf } from './stand.ts'

/**
 * The screen that a class's link opens: the simulation that the class plays, and a field for the learner's nickname.
 */
export function JoinScreen({ game, code }: { game: Game; code: string }) {
  const [state, setState] = useState<{ value: ClassInvitation | null; problem: RunApiError | null; round: number }>({
    value: null,
    problem: null,
    round: 0,
  })
  useEffect(() => {
    let isHere = true
    game.api.invitation(decoded(code)).then(
      (value) => isHere && setState((before) => ({ ...before, value, problem: null })),
      (error: unknown) => isHere && setState((before) => ({ ...before, problem: problemOf(error) })),
    )
    return () => {
      isHere = false
    }
  }, [game, code, state.round])
  const { value, problem } = state
  if (value?.closed) return <Closed title={value.title} />
  if (value) return <Invitation game={game} code={decoded(code)} invitation={value} />
  if (problem === null) return <Skeleton />
  if (problem.code === 'too-many-codes') return <Missing title={t.shell.screen.join} says={t.shell.tooManyCodes} />
  if (problem.next === 'retry-after') {
    return (
      <NotGot waits={false} onAgain={() => setState(({ round }) => ({ value, problem: null, round: round + 1 }))} />
    )
  }
  return <Missing title={t.shell.screen.join} says={t.shell.unknownClass} />
}

/** Says that a class is closed, and where a learner who has joined before finds their run. */
function Closed({ title }: { title: string }) {
  return <Missing title={t.shell.joinClass(title)} says={`${t.shell.classClosed} ${t.shell.classClosedNote}`} />
}

function Invitation({ game, code, invitation }: { game: Game; code: string; invitation: ClassInvitation }) {
  const [trouble, setTrouble] = useState<string | null>(null)
  const [waits, setWaits] = useState(false)
  const card = cardOf(game.store.cards.value.value, invitation.scenario)
  const submit = async (form: HTMLFormElement) => {
    const given = new FormData(form).get('nickname')
    const nickname = typeof given === 'string' ? given.trim() : ''
    const wrong = nicknameProblem(nickname)
    if (wrong !== null) {
      setTrouble(t.shell[wrong])
      return form.querySelector('input')?.focus()
    }
    if (waits) return
    setWaits(true)
    setTrouble(await beginRun(game, { scenario: invitation.scenario, class: code, nickname }))
    setWaits(false)
  }
  return (
    <div class="join">
      <h1 tabIndex={-1}>{t.shell.joinClass(invitation.title)}</h1>
      {card && (
        <p class="lead" lang={card.language} dir="auto">
          {card.title}. {card.question}
        </p>
      )}
      <p class="measure">{t.shell.joinLead}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit(event.currentTarget)
        }}
      >
        <p class="field">
          <label for="nickname">{t.shell.nickname}</label>
          <input
            id="nickname"
            name="nickname"
            autocomplete="nickname"
            dir="auto"
            aria-invalid={trouble !== null}
            aria-describedby="nickname-hint nickname-says"
          />
        </p>
        <p id="nickname-hint" class="small">
          {t.shell.nicknameHint}
        </p>
        <p id="nickname-says" class="trouble" role="alert">
          {trouble}
        </p>
        <button class="button main" type="submit" aria-disabled={waits}>
          {waits ? t.shell.beginning : t.shell.begin}
        </button>
      </form>
    </div>
  )
}

/**
 * Decodes the class code in an address. A person may have edited the address, so a code that can't be decoded is
 * returned unchanged.
 */
function decoded(code: string): string {
  try {
    return decodeURIComponent(code)
  } catch {
    return code
  }
}

/** The longest nickname, in Unicode characters. */
const LONGEST = 24

/**
 * Returns the problem of a nickname as the name of the text that describes the problem; null if the nickname is valid.
 * The service checks the nickname again.
 */
export function nicknameProblem(nickname: string): 'nicknameNone' | 'nicknameLong' | null {
  const count = Array.from(nickname.normalize('NFC').trim()).length
  if (count === 0) return 'nicknameNone'
  return count > LONGEST ? 'nicknameLong' : null
}
