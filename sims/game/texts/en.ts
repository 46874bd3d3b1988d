import { decide } from './en/decide.ts'
import { notebook } from './en/notebook.ts'
import { shell } from './en/shell.ts'
import { widget } from './en/widget.ts'

/** Everything the page says in English, a room of the house each. The later screens' are in `late-en.ts`. */
export const en = { shell, notebook, decide, widget }
