import { debrief } from './es/debrief.ts'
import { result } from './es/result.ts'
import { teach } from './es/teach.ts'
import type { LateTexts } from './late-texts.ts'

/** What they say in Spanish. */
export const lateEs: LateTexts = { debrief, result, teach }
