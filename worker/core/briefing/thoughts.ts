import { cap } from '../reply/characters.ts'
import type { Thought } from '../walk/event.ts'
import { inQuotes, quoted } from './prompt-text.ts'

/** At most this much of what a walk keeps in mind goes into a prompt, the latest of it. */
const THOUGHTS = 12
const FOUND = 5
const CHARACTERS = 600

/** What is still in mind, newest last, bounded in number. */
export function inMind(thoughts: readonly Thought[]): readonly Thought[] {
  return thoughts.slice(-THOUGHTS)
}

/** A thought on one line. What a memory or a model put into it is quoted, as anything from outside: no memory reads as two. */
export function thoughtText(thought: Thought): string {
  switch (thought.kind) {
    case 'annotation':
      return `note: ${short(thought.text)}`
    case 'reflection':
      return `concluded: ${short(thought.text)}`
    case 'recall':
      return `looked up ${quotedShort(thought.query)}: ${found(thought.found)}`
  }
}

function found(memories: readonly string[]): string {
  return memories.length === 0 ? 'nothing' : memories.slice(0, FOUND).map(quotedShort).join(' | ')
}

function quotedShort(text: string): string {
  return inQuotes(cap(text, CHARACTERS))
}

function short(text: string): string {
  return cap(quoted(text), CHARACTERS)
}
