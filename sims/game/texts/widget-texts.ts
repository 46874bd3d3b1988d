import type * as english from '../../../widget/texts.ts'

/**
 * The widget's own words in the reader's language. The build of the game puts this file in the place of `widget/texts.ts`
 * (`scripts/game/exchange.ts`), so it has the same exports. They are bound when a language is chosen, before anything is drawn.
 */
export type WidgetTexts = { [K in keyof typeof english]: Wide<(typeof english)[K]> }

/** A text is any text, not the English one. */
type Wide<T> = T extends string
  ? string
  : T extends (...given: infer Given) => infer Said
    ? (...given: Given) => Wide<Said>
    : T

export let launcher: WidgetTexts['launcher']
export let launcherUnread: WidgetTexts['launcherUnread']
export let launcherFailed: WidgetTexts['launcherFailed']
export let panel: WidgetTexts['panel']
export let close: WidgetTexts['close']
export let opening: WidgetTexts['opening']
export let tryAgain: WidgetTexts['tryAgain']
export let startOver: WidgetTexts['startOver']
export let startedOver: WidgetTexts['startedOver']
export let whyRefused: WidgetTexts['whyRefused']
export let youAre: WidgetTexts['youAre']
export let meeting: WidgetTexts['meeting']
export let rehearsal: WidgetTexts['rehearsal']
export let model: WidgetTexts['model']
export let mood: WidgetTexts['mood']
export let transcript: WidgetTexts['transcript']
export let you: WidgetTexts['you']
export let says: WidgetTexts['says']
export let replying: WidgetTexts['replying']
export let newMessages: WidgetTexts['newMessages']
export let sending: WidgetTexts['sending']
export let sent: WidgetTexts['sent']
export let queued: WidgetTexts['queued']
export let queuedOffline: WidgetTexts['queuedOffline']
export let notSent: WidgetTexts['notSent']
export let edit: WidgetTexts['edit']
export let tooLong: WidgetTexts['tooLong']
export let again: WidgetTexts['again']
export let why: WidgetTexts['why']
export let whyNot: WidgetTexts['whyNot']
export let stop: WidgetTexts['stop']
export let stopped: WidgetTexts['stopped']
export let replyFailed: WidgetTexts['replyFailed']
export let pivot: WidgetTexts['pivot']
export let pivotHint: WidgetTexts['pivotHint']
export let pivotPassed: WidgetTexts['pivotPassed']
export let pivotFailed: WidgetTexts['pivotFailed']
export let objective: WidgetTexts['objective']
export let objectiveLabel: WidgetTexts['objectiveLabel']
export let closingEarned: WidgetTexts['closingEarned']
export let closingForced: WidgetTexts['closingForced']
export let closingOver: WidgetTexts['closingOver']
export let nextTitle: WidgetTexts['nextTitle']
export let talkTo: WidgetTexts['talkTo']
export let composer: WidgetTexts['composer']
export let placeholder: WidgetTexts['placeholder']
export let send: WidgetTexts['send']
export let reconnecting: WidgetTexts['reconnecting']
export let stillReconnecting: WidgetTexts['stillReconnecting']
export let offline: WidgetTexts['offline']
export let reconnected: WidgetTexts['reconnected']
export let reconnect: WidgetTexts['reconnect']
export let moreSentences: WidgetTexts['moreSentences']
export let firstName: WidgetTexts['firstName']

/** Speaks these from now on. */
export function fillWidgetTexts(texts: WidgetTexts): void {
  ;({
    launcher,
    launcherUnread,
    launcherFailed,
    panel,
    close,
    opening,
    tryAgain,
    startOver,
    startedOver,
    whyRefused,
    youAre,
    meeting,
    rehearsal,
    model,
    mood,
    transcript,
    you,
    says,
    replying,
    newMessages,
    sending,
    sent,
    queued,
    queuedOffline,
    notSent,
    edit,
    tooLong,
    again,
    why,
    whyNot,
    stop,
    stopped,
    replyFailed,
    pivot,
    pivotHint,
    pivotPassed,
    pivotFailed,
    objective,
    objectiveLabel,
    closingEarned,
    closingForced,
    closingOver,
    nextTitle,
    talkTo,
    composer,
    placeholder,
    send,
    reconnecting,
    stillReconnecting,
    offline,
    reconnected,
    reconnect,
    moreSentences,
    firstName,
  } = texts)
}
