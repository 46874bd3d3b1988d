import type { Heard } from './hear.ts'

/** Whether a message says no and nothing else: "no, thanks", "not really". "No idea" and "no, go on" say more. */
export function refuses({ tokens }: Heard): boolean {
  const words = tokens.map(({ word }) => word)
  return words.some((word) => REFUSAL.has(word)) && words.every((word) => REFUSAL.has(word) || BESIDE.has(word))
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '))
const REFUSAL = set('no nope nah not')
const BESIDE = set('really thanks thank you sorry please i do would today now actually at all')
