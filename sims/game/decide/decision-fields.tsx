import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { clean } from '../../../widget/clean.ts'
import type { HeardFact, RunView } from '../../../worker/wire/run.ts'
import { useTold } from '../components/hooks.ts'
import { spokenFirst } from '../notebook/entries.ts'
import { sourceOf } from '../notebook/fact-list.tsx'
import { isWriting } from '../page-keys.ts'
import type { People } from '../people.ts'
import { hrefOf } from '../route.ts'
import { t } from '../texts/texts.ts'
import { LONGEST_REASON, overBy, reasonOf } from './draft.ts'

/**
 * The options, with a card for each option. The keys 1 to 9 pick an option unless the learner is typing. No card hints
 * at the option's ending.
 */
export function OptionCards({
  options,
  more,
  openersOf,
  chosen,
  lacks,
  onChoose,
}: {
  options: NonNullable<RunView['options']>
  /** Whether there is an option that the learner hasn't earned yet. */
  more: boolean
  /** Returns the names of those whose words opened an option; empty if it was open from the start. */
  openersOf: (option: NonNullable<RunView['options']>[number]) => string
  chosen: string | null
  /** Whether the learner tried to go on without an option. */
  lacks: boolean
  onChoose: (option: string) => void
}) {
  const cards = useRef<HTMLFieldSetElement>(null)
  const choose = useRef(onChoose)
  choose.current = onChoose
  useEffect(() => {
    const pick = (event: KeyboardEvent) => {
      if (!/^[1-9]$/.test(event.key) || event.ctrlKey || event.metaKey || event.altKey) return
      const option = options[Number(event.key) - 1]
      if (!option || isWriting(event) || document.querySelector('dialog[open]')) return
      event.preventDefault()
      choose.current(option.id)
      cards.current?.querySelectorAll('input')[Number(event.key) - 1]?.focus()
    }
    document.addEventListener('keydown', pick)
    return () => document.removeEventListener('keydown', pick)
  }, [options])
  return (
    <fieldset class="option-cards" ref={cards} aria-describedby={lacks ? 'decide-no-option' : 'decide-keys'}>
      <legend>{t.decide.options}</legend>
      {options.map((option, index) => (
        <OptionCard
          key={option.id}
          option={option}
          number={index + 1}
          openers={openersOf(option)}
          isChosen={option.id === chosen}
          lacks={lacks}
          onChoose={onChoose}
        />
      ))}
      {lacks ? (
        <p class="lack" id="decide-no-option" role="alert">
          {t.decide.noOption}
        </p>
      ) : (
        <p class="small choice-keys" id="decide-keys">
          {t.decide.keys}
        </p>
      )}
      {more && <p class="small more-options">{t.decide.more}</p>}
    </fieldset>
  )
}

/** One option. An option that was earned says whose words opened it. */
function OptionCard({
  option: { id, title },
  number,
  openers,
  isChosen,
  lacks,
  onChoose,
}: {
  option: Parameters<typeof OptionCards>[0]['options'][number]
  /** The key that picks the option, up to 9. */
  number: number
  openers: string
  isChosen: boolean
} & Pick<Parameters<typeof OptionCards>[0], 'lacks' | 'onChoose'>) {
  return (
    <label class="option-card sheet">
      <input
        type="radio"
        name="decide-option"
        value={id}
        checked={isChosen}
        aria-keyshortcuts={number <= 9 ? String(number) : undefined}
        aria-invalid={lacks || undefined}
        onChange={() => onChoose(id)}
      />
      {number <= 9 && (
        <span class="choice-key" aria-hidden="true">
          {number}
        </span>
      )}
      <span>
        <span class="choice-title" lang="x-authored" dir="auto">
          {clean(title)}
        </span>
        {openers !== '' && <span class="small opened-by"> {t.decide.openedBy(openers)}</span>}
      </span>
    </label>
  )
}

/** Screen readers announce the count once fewer characters than this are left. */
const NEAR = 200

/**
 * The field for the decision's reason. The field grows with the text, counts the characters, and does not cut off a
 * text that is too long.
 */
export function ReasonField({
  reason,
  lacks,
  inClass,
  named,
  note,
  onInput,
}: {
  reason: string
  lacks: boolean
  /** Whether the run is in a class, whose teacher may show the reason without a name ([class-13]). */
  inClass: boolean
  /** How many facts count as named by the reason. */
  named: number
  /** What the learner wrote in the notebook, with which the reason may begin. */
  note: string
  onInput: (reason: string) => void
}) {
  const field = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    const area = field.current
    if (!area || CSS.supports('field-sizing', 'content')) return
    area.style.blockSize = 'auto'
    area.style.blockSize = `${area.scrollHeight + 2}px`
  }, [reason])
  const length = reasonOf(reason).length
  const over = overBy(reason)
  const counted = over > 0 ? t.decide.over(over) : t.decide.counted(length, LONGEST_REASON)
  const told = useTold(length > LONGEST_REASON - NEAR ? counted : '')
  return (
    <div class="field reason-field">
      <label for="decide-reason">{t.decide.reason}</label>
      <p class="small" id="decide-help">
        {t.decide.reasonHelp}
        {inClass && ` ${t.decide.inClass}`}
      </p>
      <textarea
        id="decide-reason"
        ref={field}
        rows={4}
        dir="auto"
        value={reason}
        aria-describedby={lacks ? 'decide-help decide-no-reason' : 'decide-help decide-kept'}
        aria-invalid={lacks || over > 0 || undefined}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {lacks && (
        <p class="lack" id="decide-no-reason" role="alert">
          {t.decide.noReason}
        </p>
      )}
      <p class="small under" id="decide-kept">
        <span class={over > 0 ? 'lack' : 'figures'}>{counted}</span>
        <span>{t.decide.kept}</span>
      </p>
      <p class="hidden" role="status">
        {told || null}
      </p>
      {length === 0 && reasonOf(note) !== '' && (
        <button
          class="button use-note"
          type="button"
          onClick={() => {
            onInput(note)
            // The button goes with the first character, and the focus would go with it.
            field.current?.focus()
          }}
        >
          {t.decide.useNote}
        </button>
      )}
      <p class="small" role="status">
        {named > 0 && t.decide.names(named)}
      </p>
    </div>
  )
}

/** Says how many facts are ticked. */
export function tickedOf(facts: readonly HeardFact[], ticked: readonly string[]): string {
  return t.decide.ticked(facts.filter(({ id }) => ticked.includes(id)).length)
}

/** Up to so many facts are all on the page. More of them are folded, by colleague. */
const AT_A_GLANCE = 8

/**
 * The evidence for the decision, by colleague. The learner picks the evidence from the facts that they heard, and can
 * read a colleague's document again.
 */
export function EvidenceField({
  run: { id, facts, documents },
  people,
  ticked,
  given,
  onTick,
}: {
  run: Pick<RunView, 'id' | 'facts' | 'documents'>
  people: People
  /** All facts that are ticked. */
  ticked: readonly string[]
  /** Why those of them are ticked that the page ticked by itself: the reason names them, or they opened the chosen option. */
  given: ReadonlyMap<string, string>
  onTick: (fact: string, isTicked: boolean) => void
}) {
  return (
    <fieldset class="evidence">
      <legend>{t.decide.evidence}</legend>
      {facts.length === 0 ? (
        <p class="aside">{t.decide.noEvidence}</p>
      ) : (
        <>
          <p class="small">{t.decide.evidenceHelp}</p>
          {[...Map.groupBy(facts, (fact) => fact.npc)].map(([npc, told]) => {
            const paper = documents.find((document) => document.npc === npc)
            return (
              <FromPerson
                key={npc}
                facts={spokenFirst(told)}
                isFolded={facts.length > AT_A_GLANCE}
                people={people}
                ticked={ticked}
                given={given}
                onTick={onTick}
              >
                {paper && (
                  <a class="small reread" href={hrefOf({ screen: 'notebook', run: id, document: npc })}>
                    {t.decide.reread(clean(paper.title))}
                  </a>
                )}
              </FromPerson>
            )
          })}
        </>
      )}
    </fieldset>
  )
}

/** What one colleague told. It begins open if something of it is ticked. */
function FromPerson({
  facts,
  isFolded,
  people,
  ticked,
  given,
  onTick,
  children,
}: {
  facts: readonly HeardFact[]
  isFolded: boolean
  children: ComponentChildren
} & Pick<Parameters<typeof EvidenceField>[0], 'people' | 'ticked' | 'given' | 'onTick'>) {
  const [startsOpen] = useState(() => !isFolded || facts.some(({ id }) => ticked.includes(id)))
  const { hue, name } = people(facts[0]?.npc ?? '')
  return (
    <details class="quiet person evidence-of" open={startsOpen} style={{ '--hue': hue }}>
      <summary>
        <span class="who" lang="x-authored" dir="auto">
          {name}
        </span>{' '}
        <span class="small figures">
          {t.decide.toTick(facts.length, facts.filter(({ id }) => ticked.includes(id)).length)}
        </span>
      </summary>
      {facts.map((fact) => (
        <Tick key={fact.id} fact={fact} people={people} ticked={ticked} given={given} onTick={onTick} />
      ))}
      {children}
    </details>
  )
}

/** One fact with its checkbox. */
function Tick({
  fact,
  people,
  ticked,
  given,
  onTick,
}: { fact: HeardFact } & Pick<Parameters<typeof EvidenceField>[0], 'people' | 'ticked' | 'given' | 'onTick'>) {
  const why = given.get(fact.id)
  return (
    <label class="ticked person" style={{ '--hue': people(fact.npc).hue }}>
      <input
        type="checkbox"
        checked={ticked.includes(fact.id)}
        onChange={({ currentTarget }) => onTick(fact.id, currentTarget.checked)}
      />
      <span>
        <span class="known" lang="x-authored" dir="auto">
          {clean(fact.text)}
        </span>
        {fact.turn === null && <span class="small"> {sourceOf(fact, people)}</span>}
        {why !== undefined && (
          <span class="small">
            {fact.turn === null && ' ·'} {why}
          </span>
        )}
      </span>
    </label>
  )
}
