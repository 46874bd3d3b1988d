import { useEffect, useRef } from 'preact/hooks'
import { t } from '../texts/texts.ts'
import { isWriting } from '../page-keys.ts'
import { calledName } from '../people.ts'
import type { People } from '../people.ts'

/** The search field. The key `/` focuses the field from anywhere on the screen, and Escape empties the field. */
export function SearchField({ value, onInput }: { value: string; onInput: (value: string) => void }) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const lead = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isWriting(event)) return
      event.preventDefault()
      field.current?.focus()
      field.current?.select()
    }
    document.addEventListener('keydown', lead)
    return () => document.removeEventListener('keydown', lead)
  }, [])
  return (
    <div class="notebook-search" role="search">
      <label class="hidden" for="notebook-search">
        {t.notebook.search}
      </label>
      <div class="search-row">
        <input
          id="notebook-search"
          ref={field}
          type="search"
          dir="auto"
          placeholder={t.notebook.search}
          autocomplete="off"
          spellcheck={false}
          maxLength={200}
          value={value}
          aria-keyshortcuts="/"
          aria-describedby="notebook-search-key"
          onInput={(event) => onInput(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || value === '') return
            event.preventDefault()
            event.stopPropagation()
            onInput('')
          }}
        />
        {value === '' ? (
          <kbd aria-hidden="true">/</kbd>
        ) : (
          <button
            class="bare"
            type="button"
            onClick={() => {
              onInput('')
              field.current?.focus()
            }}
          >
            {t.notebook.clear}
          </button>
        )}
      </div>
      <p class="hidden" id="notebook-search-key">
        {t.notebook.searchKey}
      </p>
    </div>
  )
}

/** The filter by source: every colleague, or one colleague. */
export function SourceFilter({
  sources,
  people,
  chosen,
  onChoose,
}: {
  sources: readonly string[]
  people: People
  chosen: string | null
  onChoose: (npc: string | null) => void
}) {
  return (
    <fieldset class="sources">
      <legend class="hidden">{t.notebook.from}</legend>
      {[null, ...sources].map((npc) => (
        <label key={npc} class="person" style={npc === null ? undefined : { '--hue': people(npc).hue }}>
          <input type="radio" name="notebook-source" checked={npc === chosen} onChange={() => onChoose(npc)} />
          <span>{npc === null ? t.notebook.everybody : calledName(people(npc))}</span>
        </label>
      ))}
    </fieldset>
  )
}
