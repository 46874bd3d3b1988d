import { announcer } from '../../widget/announcer.ts'
import type { Announcer } from '../../widget/announcer.ts'
import type { Noted } from './run-gains.ts'
import type { GameControl, Notice } from './store.ts'
import { t } from './texts/texts.ts'

const NOTE_MS = 4_000
/** The screens that show the objectives themselves. */
const SHOWS_OBJECTIVES: ReadonlySet<string> = new Set(['talk', 'briefing', 'desk', 'notebook'])

/** Shows notes for four seconds each and announces the notes to screen readers. */
export class NoteBoard {
  readonly announcer: Announcer = announcer([region(), region()])
  readonly #control: GameControl
  #count = 0

  constructor(control: GameControl) {
    this.#control = control
  }

  note(text: string, look: Notice['look'] = 'plain'): void {
    this.#show(text, look)
    this.announcer.say(text)
  }

  /**
   * Tells the learner what the notebook has gained. Each objective that the learner has met gets a note, unless the
   * screen shows the objective itself. The note is not announced, because the conversation has already announced the
   * objective. New facts and documents are announced, and the head of a talk shows a note about them. The note has no
   * number, because the notebook counts what is new.
   */
  gained({ met, count }: Noted): void {
    const { screen } = this.#control.store.route.value
    for (const title of SHOWS_OBJECTIVES.has(screen) ? [] : met) this.#show(t.shell.metNow(title), 'earned')
    if (count === 0) return
    this.#show(t.shell.noted, 'noted')
    this.announcer.say(t.shell.noted)
  }

  /**
   * Shows a note. The new note replaces a note with the same text and every plain note, because on a phone the notes
   * cover the text below them.
   */
  #show(text: string, look: Notice['look']): void {
    const { store, addNote, dropNote } = this.#control
    this.#count += 1
    const id = this.#count
    for (const other of store.notes.value) if (other.text === text || other.look === 'plain') dropNote(other.id)
    addNote({ id, text, look })
    setTimeout(() => dropNote(id), NOTE_MS)
  }
}

/**
 * Makes a live region. A live region has to be in the page before the region gets a text, or screen readers ignore the
 * text.
 */
function region(): HTMLElement {
  const element = document.createElement('div')
  element.className = 'hidden'
  element.setAttribute('aria-live', 'polite')
  element.setAttribute('aria-atomic', 'true')
  document.body.append(element)
  return element
}
