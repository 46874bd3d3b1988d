import type * as widgetMood from '../../widget/components/mood.tsx'
import type * as widgetPeople from '../../widget/portraits/people.ts'
import type * as widgetSessions from '../../widget/session-api.ts'
import type * as mood from './components/mood.tsx'
import type * as people from './portraits/people.ts'
import type * as sessions from './talk/session-api.ts'
import type * as texts from './texts/widget-texts.ts'
import type { WidgetTexts } from './texts/widget-texts.ts'

/** What the build puts in the place of the widget's modules fits where they were: otherwise this does not compile. */
export type Exchanged = [
  Fits<typeof mood, typeof widgetMood>,
  Fits<typeof people, typeof widgetPeople>,
  Fits<typeof sessions, typeof widgetSessions>,
  Fits<typeof texts, WidgetTexts>,
]

type Fits<Ours extends Theirs, Theirs> = Ours
