import { isDeepStrictEqual } from 'node:util'
import type { LogEvent } from '../../worker/wire/messages.ts'
import { markIn, type Said } from './marked-model.ts'
import { type Breach, keyOf, type Shown, type StreamWatcher } from './stream-watcher.ts'

/** What the clients of one conversation saw, what the store has at the end, and what the model replied. */
export interface Evidence {
  readonly clients: readonly Pick<StreamWatcher, 'events' | 'shown' | 'acknowledged' | 'commands' | 'breaches'>[]
  /**
   * Every message that a learner wrote in this conversation, by its `cid`, whether the server acknowledged the message
   * or not.
   */
  readonly written: ReadonlyMap<string, string>
  /** The log as the server sends it to a client that connects without a cursor. */
  readonly stored: readonly LogEvent[]
  /**
   * What the model replied to the messages of this conversation. Null if the test's model was not a `MarkedModel`; then
   * nothing is known about the replies.
   */
  readonly said: readonly Said[] | null
}

/**
 * How many characters of replies the clients were shown. `stored`: the log contains these characters. `voided`: the
 * attempt to which these characters belong failed, or another attempt followed it.
 */
export interface ShownCount {
  readonly stored: number
  readonly voided: number
}

type Of<T extends LogEvent['type']> = Extract<LogEvent, { type: T }>

/** Matches text of a reply that no client may ever see. */
const HIDDEN = /-{2,}\s*END|node_satisfied|never to be shown/

/**
 * Checks these promises of the server for one conversation, and returns every violation. An acknowledged message is in
 * the log exactly once. Each turn ends once. The log contains every text that a client was shown, unless the attempt
 * failed or another attempt followed it. All clients have the same log. The log contains nothing from other
 * conversations.
 */
export function audit({ clients, written, stored, said }: Evidence): readonly Breach[] {
  const breaches = clients.flatMap((client) => client.breaches)
  const note = (kind: Breach['kind'], what: string) => void breaches.push({ kind, what })
  const starts = stored.filter((event): event is Of<'turn-start'> => event.type === 'turn-start')
  const ends = stored.filter((event): event is Of<'turn'> => event.type === 'turn')

  stored.forEach(({ seq }, at) => seq === at + 1 || note('lost', `the log has ${seq} at place ${at + 1}`))
  checkMessages()
  checkTurns()
  if (said) checkReplies(said)
  checkCommands()
  for (const client of clients) checkClient(client)
  return breaches

  /**
   * Checks invariants I1 and I2 of `reference-model.ts`: the log contains every acknowledged message, and contains no
   * message twice.
   */
  function checkMessages(): void {
    const taken = Map.groupBy(starts, ({ cid }) => cid)
    const picked = stored.flatMap((event) => (event.type === 'pivot-end' && event.choice ? [event.choice.cid] : []))
    for (const [cid, all] of taken) {
      if (written.get(cid) !== all[0]?.text) note('foreign', `message ${cid} was not written here`)
      if (new Set(all.map(({ turn }) => turn)).size > 1) note('doubled', `message ${cid} opened two turns`)
    }
    for (const [cid, times] of Map.groupBy(picked, (each) => each))
      if (times.length > 1) note('doubled', `choice ${cid} was taken ${times.length} times`)
    for (const { acknowledged } of clients)
      for (const [cid, { turn, seq }] of acknowledged) {
        const event = stored[seq - 1]
        const isThere = event?.turn === turn && (event.type === 'turn-start' || event.type === 'pivot-end')
        if (!isThere) note('lost', `message ${cid} was acknowledged and is not at ${seq}`)
        if (written.has(cid) && !taken.has(cid)) note('lost', `message ${cid} was acknowledged and opened no turn`)
      }
  }

  /**
   * Checks invariant I3: a turn's attempts are numbered without a gap, each attempt ends at most once, and the last
   * attempt has ended.
   */
  function checkTurns(): void {
    const turns = Map.groupBy(starts, ({ turn }) => turn)
    let next = 1
    for (const [turn, all] of turns) {
      if (turn !== next++) note('lost', `turn ${turn} came after ${next - 2}`)
      all.forEach(
        ({ attempt }, at) =>
          attempt === at + 1 || note('order', `turn ${turn}: attempt ${attempt}, ${at + 1} expected`),
      )
      for (const { attempt } of all) {
        const times = endsOf({ turn, attempt })
        if (times.length > 1) note('doubled', `turn ${turn}.${attempt} ended ${times.length} times`)
        if (attempt < all.length && times.some(({ outcome }) => outcome !== 'failed'))
          note('doubled', `turn ${turn} was answered at attempt ${attempt} and asked for again`)
      }
      if (endsOf({ turn, attempt: all.length }).length === 0) note('stuck', `turn ${turn}.${all.length} never ended`)
    }
    for (const end of ends)
      if (!starts.some((start) => keyOf(start) === keyOf(end))) note('order', `turn ${keyOf(end)} ended unbegun`)
  }

  /**
   * Checks invariants I4, I6, I9 and I12. The model sent each stored reply as one complete reply to exactly this
   * message. Each attempt sends at most one request to the model.
   */
  function checkReplies(replied: readonly Said[]): void {
    for (const end of ends) {
      if (HIDDEN.test(end.text)) note('shown', `turn ${keyOf(end)} holds what nobody may see`)
      const asked = starts.find(({ turn }) => turn === end.turn)?.text
      const replies = replied
        .filter(({ mark }) => asked !== undefined && mark === markIn(asked))
        .map(({ speech }) => speech)
      const isSaid = replies.some((speech) =>
        end.outcome === 'cut' ? speech.startsWith(end.text) : speech === end.text,
      )
      if (end.outcome !== 'failed' && !isSaid) note('foreign', `turn ${keyOf(end)} is no reply to its message`)
    }
    for (const [cid, text] of written) {
      const asked = replied.filter(({ mark }) => mark === markIn(text)).length
      const attempts = starts.filter((start) => start.cid === cid).length
      if (asked > attempts) note('unpaid', `message ${cid}: ${asked} requests to the model in ${attempts} attempts`)
    }
  }

  /** Checks invariant I7: no two commands have the same id. */
  function checkCommands(): void {
    const ids = stored.flatMap((event) => (event.type === 'command' ? [event.id] : []))
    if (new Set(ids).size !== ids.length) note('doubled', `a command's id came twice: ${ids.join(' ')}`)
  }

  /**
   * Checks invariants I4 and I5. The client's log is the stored log. The log contains every text that the client was
   * shown, unless the attempt failed or another attempt followed it.
   */
  function checkClient({ events, shown, commands }: Evidence['clients'][number]): void {
    if (!isDeepStrictEqual(events, stored)) note('lost', `a client has another log than the store: ${differ(events)}`)
    const given = stored.flatMap((event) => (event.type === 'command' ? [event.id] : []))
    if (!isDeepStrictEqual(commands, given)) note('lost', `a client carried out ${commands.join(' ')}`)
    for (const each of shown) {
      if (HIDDEN.test(each.text)) note('shown', `${keyOf(each)} showed what nobody may see`)
      if (fateOf(each) === 'neither')
        note('shown', `${keyOf(each)} is neither stored nor void, after ${each.text.length}`)
    }
  }

  function differ(events: readonly LogEvent[]): string {
    const at = stored.findIndex((event, i) => !isDeepStrictEqual(event, events[i]))
    return `${events.length} and ${stored.length} entries, the first at ${at + 1}`
  }

  function fateOf(each: Shown): 'stored' | 'voided' | 'neither' {
    return shownFate(stored, each)
  }

  function endsOf(attempt: { turn: number; attempt: number }) {
    return ends.filter((end) => keyOf(end) === keyOf(attempt))
  }
}

/**
 * Counts the shown characters: how many are stored, and how many belong to an attempt that failed or that another
 * attempt followed.
 */
export function countShown(stored: readonly LogEvent[], shown: readonly Shown[]): ShownCount {
  const of = (fate: string) =>
    shown.filter((each) => shownFate(stored, each) === fate).reduce((sum, { text }) => sum + text.length, 0)
  return { stored: of('stored'), voided: of('voided') }
}

/**
 * Returns what became of a text that a client was shown. `voided`: the attempt failed, or another attempt followed.
 * `stored`: the stored reply begins with the text. `neither`: the server broke its promise.
 */
function shownFate(stored: readonly LogEvent[], { turn, attempt, text }: Shown): 'stored' | 'voided' | 'neither' {
  const own = stored.filter((event) => event.turn === turn)
  const end = own.find((event): event is Of<'turn'> => event.type === 'turn' && event.attempt === attempt)
  if (end && end.outcome !== 'failed') return end.text.startsWith(text) ? 'stored' : 'neither'
  if (end) return 'voided'
  return own.some((event) => event.type === 'turn-start' && event.attempt > attempt) ? 'voided' : 'neither'
}
