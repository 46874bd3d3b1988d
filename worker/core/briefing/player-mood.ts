import type { PlayerMood } from './briefing.ts'

/** Reads the mood of one message from its words. A rough, deterministic reading: first match wins. */
export function playerMood(text: string): PlayerMood {
  const said = text.toLowerCase()
  return SIGNS.find(({ sign }) => sign.test(said))?.mood ?? 'neutral'
}

/** What a mood means for the one who answers. */
export function moodGloss(mood: PlayerMood): string {
  return GLOSS[mood]
}

const SIGNS: readonly { mood: PlayerMood; sign: RegExp }[] = [
  {
    mood: 'frustrated',
    sign: /\b(ridiculous|fed up|frustrat\w*|annoy\w*|waste of time|for the (second|third|last) time|this is going nowhere|seriously)\b|!{2,}/,
  },
  {
    mood: 'dismissive',
    sign: /\b(whatever|who cares|don'?t care|doesn'?t matter|not my problem|boring)\b|\bso what\s*[?.!]*$/,
  },
  {
    mood: 'skeptical',
    sign: /\b(are you sure|really sure|i doubt|doubt it|not convinced|prove it|how do you know|sounds? (exaggerated|overblown)|isn'?t that just)\b/,
  },
  {
    mood: 'decisive',
    sign: /\b(we (should|need to|have to|must|can'?t)|i('?ll| will| would|'d)|let'?s|that'?s (the|a) (blocker|problem|reason)|that blocks|we'?re not shipping|i'?ve decided)\b/,
  },
  { mood: 'hesitant', sign: /\b(maybe|not sure|i guess|i don'?t know|dunno|perhaps|hmm+|unsure)\b/ },
  { mood: 'curious', sign: /\?|^(what|why|how|who|when|where|which|can|could|is|are|do|does|tell me)\b/ },
  {
    mood: 'agreeing',
    sign: /\b(agree|makes sense|fair|right|true|exactly|got it|i see|understood|yes|yeah|ok(ay)?)\b/,
  },
]

const GLOSS: Readonly<Record<PlayerMood, string>> = {
  curious: 'They are asking before they conclude. Give them something worth the next question.',
  skeptical: 'They doubt what they hear. Show where it comes from; do not plead.',
  agreeing: 'They are with you. Do not sell what is sold; take the next step.',
  decisive: 'They are drawing conclusions. Hold them to the facts, and say where it fits and where it does not.',
  frustrated: 'They are losing patience. Shorter than usual, and straight to what helps.',
  hesitant: 'They are unsure of their footing. Make the one point smaller and firmer.',
  dismissive: 'They wave it away. Stay civil, and let the consequence speak.',
  neutral: 'Nothing in their tone to go by. Take them at their word.',
}
