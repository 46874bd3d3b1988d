import type { Config } from '../../worker/env.ts'

/** Says who speaks, for the terminal. Host and model; never a key. */
export function speakerLine({ speaker }: Config): string {
  if (speaker.kind === 'rehearsal') return 'Spoken by the rehearsal actor: scripted lines, no language model'
  return `Spoken by ${speaker.model} at ${new URL(speaker.baseURL).host}`
}
