import type { ToldRecord } from '../../../worker/session/assistant/assistant-record.ts'
import { addressOf, ALL_RUNS, onLinkClick } from '../address.ts'
import type { ToldAddress } from '../address.ts'
import type { Desk } from '../desk.ts'
import * as texts from '../texts.ts'
import { MomentTime, ValueText } from './marks.tsx'
import { Trouble, LoadingBars } from './trouble.tsx'

/** What was sent in a turn of an assistant's conversation: step by step, and field by field with the reasons. */
export function ToldScreen({ desk, view }: { desk: Desk; view: ToldAddress }) {
  const told = desk.store.told.value
  return (
    <div class="told">
      <nav class="crumbs small" aria-label="Where this is">
        <a href={addressOf(ALL_RUNS)} onClick={onLinkClick(() => desk.go(ALL_RUNS))}>
          All runs
        </a>
      </nav>
      <h1 tabIndex={-1}>What was sent</h1>
      <p class="lead">Exactly what each agent of an assistant was told in a turn, and why it was allowed to know it.</p>
      <Find desk={desk} view={view} />
      {told === 'loading' && <LoadingBars what="Loading what was sent" lines={4} />}
      {told !== null && typeof told === 'object' && 'code' in told && (
        <Trouble desk={desk} problem={told} onAgain={() => desk.readAgain()} onBack={() => desk.go(ALL_RUNS)} />
      )}
      {told !== null && typeof told === 'object' && 'turns' in told && (
        <>
          {told.turns.length === 0 ? (
            <p class="empty">Nothing was sent in this conversation: nobody has asked its agents anything.</p>
          ) : (
            <Turns desk={desk} view={view} turns={told.turns} />
          )}
          {told.turns.length > 0 && told.told.length === 0 && (
            <p class="empty">Nothing was sent in turn {view.turn}, or it was too long ago.</p>
          )}
          {told.told.map((step, index) => (
            <Step key={`${step.turn} ${index}`} step={step} name={`step-${index}`} />
          ))}
        </>
      )}
    </div>
  )
}

function Find({ desk, view }: { desk: Desk; view: ToldAddress }) {
  return (
    <form
      class="filter find"
      role="search"
      aria-label="Conversations"
      onSubmit={(event) => {
        event.preventDefault()
        const session = new FormData(event.currentTarget).get('session')
        if (typeof session === 'string') desk.go({ screen: 'told', session: session.trim(), turn: null })
      }}
    >
      <p class="wide">
        <label for="session">Session id of the conversation</label>
        <input
          id="session"
          name="session"
          key={view.session}
          defaultValue={view.session}
          pattern="\s*[0-9a-f]{64}\s*"
          title="64 characters: digits, and the letters a to f"
          required
          spellcheck={false}
          autocomplete="off"
        />
      </p>
      <button class="button" type="submit">
        Show
      </button>
    </form>
  )
}

function Turns({ desk, view, turns }: { desk: Desk; view: ToldAddress; turns: readonly number[] }) {
  const shown = view.turn ?? turns.at(-1)
  return (
    <nav class="turns" aria-label="Turns">
      <ol>
        {turns.map((turn) => {
          const to = { ...view, turn }
          return (
            <li key={turn}>
              <a
                href={addressOf(to)}
                onClick={onLinkClick(() => desk.go(to))}
                aria-label={`Turn ${turn}`}
                aria-current={turn === shown ? 'true' : undefined}
              >
                {turn}
              </a>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

function Step({ step, name }: { step: ToldRecord; name: string }) {
  const fields = fieldsOf(step)
  return (
    <section class="step sheet" aria-labelledby={name}>
      <h2 id={name}>{texts.stepTitle(step)}</h2>
      <p class="facts">
        <span>
          turn {step.turn}, attempt {step.attempt}
        </span>
        {step.at > 0 && (
          <span>
            sent <MomentTime time={step.at} />
          </span>
        )}
        <span>{texts.routedWord[step.by]}</span>
        <span>{texts.counted(step.bytes, 'byte')}</span>
      </p>
      {step.trace.map(({ type, name: meant }) => (
        <p key={type} class="note">
          {texts.traceWord[type]}: <bdi>{meant}</bdi>
        </p>
      ))}
      <dl class="fields">
        {fields.map(({ part, value, why }) => (
          <div key={part} class="pair">
            <dt>
              <span class="key">{part}</span>
              <span class="small why">{why && texts.whySentence(why)}</span>
            </dt>
            <dd>
              <Value value={value} />
            </dd>
          </div>
        ))}
      </dl>
      {(step.leftOut.length > 0 || (step.withheld ?? []).length > 0) && (
        <section aria-label="Left out">
          <h3>Left out</h3>
          <ul class="items">
            {step.leftOut.map((each) => (
              <li key={`${each.part} ${each.why}`}>
                <span class="key">{each.part}</span>: {texts.leftOutSentence(each)}
              </li>
            ))}
            {step.withheld && step.withheld.length > 0 && (
              <li>
                <span class="key">{step.withheld.join(', ')}</span>: not told, because this agent’s file does not ask
                for it.
              </li>
            )}
          </ul>
        </section>
      )}
    </section>
  )
}

interface Field {
  readonly part: string
  readonly value: unknown
  readonly why: ToldRecord['because'][number] | undefined
}

/** Returns every field that was sent, in order, with its value and the reason why it was allowed. */
function fieldsOf({ told, because }: ToldRecord): readonly Field[] {
  const { shared_memory: memory = {}, ...common } = told
  const all = [
    ...Object.entries(common),
    ...Object.entries(memory).map(([part, value]) => [`shared_memory.${part}`, value] as const),
  ]
  return all.map(([part, value]) => ({ part, value, why: because.find((each) => each.part === part) }))
}

/** Shows a value: objects field by field, lists item by item. */
function Value({ value }: { value: unknown }) {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return <ValueText value={value} />
  if (Array.isArray(value))
    return (
      <ol class="values">
        {value.map((item, index) => (
          <li key={index}>
            <Value value={item} />
          </li>
        ))}
      </ol>
    )
  return (
    <dl class="inner">
      {Object.entries(value).map(([key, item]) => (
        <div key={key}>
          <dt>{key}</dt>
          <dd>
            <Value value={item} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
