import { debrief } from './en/debrief.ts'
import { result } from './en/result.ts'
import { teach } from './en/teach.ts'

/** What the screens that are loaded when they are needed say in English. */
export const lateEn = { debrief, result, teach }
