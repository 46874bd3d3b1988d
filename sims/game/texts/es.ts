import { decide } from './es/decide.ts'
import { notebook } from './es/notebook.ts'
import { shell } from './es/shell.ts'
import { widget } from './es/widget.ts'
import type { Texts } from './texts.ts'

/** Everything the page says in Spanish. */
export const es: Texts = { shell, notebook, decide, widget }
