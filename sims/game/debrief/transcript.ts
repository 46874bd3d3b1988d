import type { TalkView } from '../../../worker/wire/run.ts'

export type Message = TalkView['transcript'][number]

/** A message with the turn it belongs to: what was picked in a moment belongs to the turn before it. */
export interface PlacedMessage extends Message {
  readonly turn: number | null
}

/** Puts each message in its turn, by its id (`say-3`, `reply-3`) or else by what stands before it. */
export function placeMessages(transcript: readonly Message[]): readonly PlacedMessage[] {
  let turn: number | null = null
  return transcript.map((message) => {
    turn = turnOf(message.id) ?? turn
    return { ...message, turn }
  })
}

function turnOf(id: string): number | null {
  const found = /^(?:say|reply)-(\d+)$/.exec(id)
  return found ? Number(found[1]) : null
}

/** The id of an element of the page that stands for a message, or for the first of a turn. */
export function anchorOf(npc: string, message: string): string {
  return `said-${npc}-${message}`
}

/** Where in the page a turn's reply stands, or what was said in it; null where neither is there. */
export function anchorOfTurn({ npc, transcript }: Pick<TalkView, 'npc' | 'transcript'>, turn: number): string | null {
  const found = [`reply-${turn}`, `say-${turn}`].find((id) => transcript.some((message) => message.id === id))
  return found === undefined ? null : anchorOf(npc, found)
}
