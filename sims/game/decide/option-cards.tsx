import { useEffect, useRef } from 'preact/hooks'
import { clean } from '../../../widget/clean.ts'
import type { SimulationCard } from '../../../worker/wire/run.ts'
import { isWriting } from '../notebook/is-writing.ts'
import { t } from '../texts/texts.ts'

/** What can be done, a card each. 1 to 9 pick one from anywhere on the screen but a text. Nothing hints at an ending. */
export function OptionCards({
  options,
  chosen,
  lacks,
  onChoose,
}: {
  options: SimulationCard['options']
  chosen: string | null
  /** It was tried to go on without one. */
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
      {options.map(({ id, title }, index) => (
        <label key={id} class="option-card sheet">
          <input
            type="radio"
            name="decide-option"
            value={id}
            checked={id === chosen}
            aria-keyshortcuts={index < 9 ? String(index + 1) : undefined}
            aria-invalid={lacks || undefined}
            onChange={() => onChoose(id)}
          />
          {index < 9 && (
            <span class="choice-key" aria-hidden="true">
              {index + 1}
            </span>
          )}
          <span class="choice-title" lang="en" dir="auto">
            {clean(title)}
          </span>
        </label>
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
    </fieldset>
  )
}
