import { useState } from 'preact/hooks'
import type { ClassView } from '../../../worker/wire/run.ts'
import { dayOf, fileName } from '../debrief/file-name.ts'
import { saveFile } from '../debrief/save-file.ts'
import type { Game } from '../game.ts'
import { late } from '../texts/texts.ts'

/** The class as a table for a spreadsheet. The service makes it, so that no cell of it is a formula. */
export function ExportCsv({ view, classKey, game }: { view: ClassView; classKey: string; game: Game }) {
  const words = late.teach
  const [state, setState] = useState<'ready' | 'waits' | 'failed'>('ready')
  return (
    <>
      <p class="measure">{words.exportNote}</p>
      <div class="tools">
        <button class="button" type="button" aria-disabled={state === 'waits'} onClick={() => void save()}>
          {state === 'waits' ? words.exporting : words.exportCsv}
        </button>
        <span class="small" role="alert">
          {state === 'failed' && words.notExported}
        </span>
      </div>
    </>
  )

  async function save(): Promise<void> {
    if (state === 'waits') return
    setState('waits')
    try {
      const name = fileName([view.title, dayOf(Date.now())], 'csv')
      saveFile(name, 'text/csv', await game.api.classCsv(classKey))
      game.note(words.exported(name))
      setState('ready')
    } catch {
      setState('failed')
    }
  }
}
