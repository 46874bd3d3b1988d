import { t } from '../texts/texts.ts'
import { calledName } from './people.ts'
import type { People } from './people.ts'

/** Whose words to look at: everybody's, or one colleague's. */
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
