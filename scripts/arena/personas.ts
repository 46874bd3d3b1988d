import type { Act, Draw, Persona, Sight } from './persona.ts'
import { answer, fresh, ground, hasPlan, cardInWords, isAsked, onMatter, plan, sentBy, takesIn } from './phrases.ts'

/** The simulated learners of the arena. */
export const PERSONAS: readonly Persona[] = [
  {
    name: 'cooperative',
    about: 'take part: you ask, say what you conclude from what you hear, answer what you are asked, and thank.',
    leaves: false,
    act: takesPart,
  },
  {
    name: 'terse',
    about: 'write one to four words a message, and no small talk.',
    leaves: false,
    act: (sight, draw) => {
      if (sight.fork) return answer(sight, draw, 'card')
      const fact = takesIn(sight)
      if (fact !== null && draw(2) === 0) return { text: fact }
      const isOwn = isAboutThemselves(sight)
      return { text: isOwn ? (SHORT_WEEK[sentBy(sight)] ?? "that's all") : fresh(SHORT, sight, draw) }
    },
  },
  {
    name: 'drifting',
    about: 'keep coming off the subject: sport, lunch, the weather. You take little in, and say so late.',
    leaves: false,
    act: (sight, draw) => {
      if (draw(2) === 0) return { text: fresh(ELSEWHERE, sight, draw) }
      if (sight.fork) return answer(sight, draw, 'words')
      const fact = sentBy(sight) > 6 ? takesIn(sight) : null
      return { text: fact ?? onMatter(sight, draw) }
    },
  },
  {
    name: 'pushy',
    about: 'have no time: you want a yes or a no, and after a few messages you say goodbye and mean it.',
    leaves: true,
    act: (sight, draw) => {
      if (sentBy(sight) >= 4 + draw(2)) return { text: fresh(GOODBYES, sight, draw) }
      if (sight.fork) return answer(sight, draw, 'words')
      return { text: draw(2) === 0 ? fresh(HURRIED, sight, draw) : onMatter(sight, draw) }
    },
  },
  {
    name: 'leaving',
    about: 'are called away: you ask two things, then say goodbye.',
    leaves: true,
    act: (sight, draw) =>
      sentBy(sight) >= 2 ? { text: fresh(GOODBYES, sight, draw) } : { text: onMatter(sight, draw) },
  },
  {
    name: 'decided',
    about: 'had decided before you came, say so at once, and ask only what might change your mind.',
    leaves: false,
    act: (sight, draw) => {
      if (sentBy(sight) === 0) return { text: `I've decided already. ${plan(sight, draw)}` }
      if (sight.fork) return { text: `I've made up my mind. ${plan(sight, draw)}`, answers: true }
      const insists = isAsked(sight) && !isAboutThemselves(sight) && draw(2) === 0
      return { text: takesIn(sight) ?? (insists ? `As I said. ${plan(sight, draw)}` : onMatter(sight, draw)) }
    },
  },
  {
    name: 'ahead',
    about: 'answer ahead: you say what you think of a matter before you are asked about it.',
    leaves: false,
    act: (sight, draw) => {
      const card = sight.npc.pivots[sentBy(sight) - 1]?.choices[0]
      if (sight.fork) return answer(sight, draw, 'words')
      if (card) return { text: `Before you ask: ${cardInWords(card)}` }
      const fact = takesIn(sight)
      if (fact !== null) return { text: `${fact} ${plan(sight, draw)}` }
      return { text: onMatter(sight, draw) }
    },
  },
  {
    name: 'contrary',
    about: 'doubt what you are told, ask for the ground of it, and give way only once.',
    leaves: false,
    act: (sight, draw) => {
      if (sight.fork) {
        const least = sight.fork.choices.toSorted((a, b) => a.mood - b.mood)[0]
        return least ? { text: cardInWords(least), answers: true } : answer(sight, draw)
      }
      const fact = sentBy(sight) > 4 ? takesIn(sight) : null
      const doubts = !isAboutThemselves(sight) || draw(2) === 0
      return { text: fact ?? (doubts && draw(3) > 0 ? fresh(DOUBTS, sight, draw) : onMatter(sight, draw)) }
    },
  },
  {
    name: 'bot',
    about: 'suspect that you talk to a machine, and ask so twice. Otherwise you take part.',
    leaves: false,
    act: (sight, draw) => {
      const asked = ['Are you a bot?', 'Be honest, is this a machine that answers me?'][(sentBy(sight) - 1) / 2]
      return asked === undefined || sight.fork ? takesPart(sight, draw) : { text: asked }
    },
  },
  {
    name: 'languages',
    about: 'mix languages: English with Spanish or German in the same message.',
    leaves: false,
    act: (sight, draw) => {
      if (sight.fork) return answer(sight, draw)
      const fact = takesIn(sight)
      if (fact !== null) return { text: `Vale. ${fact}` }
      if (!isAboutThemselves(sight) && sentBy(sight) < MIXED.length) return { text: fresh(MIXED, sight, draw) }
      return { text: `${fresh(MIXED_BEGINNINGS, sight, draw)} ${onMatter(sight, draw)}` }
    },
  },
]

function takesPart(sight: Sight, draw: Draw): Act {
  if (sight.fork) return answer(sight, draw)
  const sent = sentBy(sight)
  const hasFacts = sight.npc.decisionFacts.length > 0
  if (sight.npc.walk === 'guide' && sent > 2) return { text: fresh(CLOSING, sight, draw) }
  if (!hasFacts) return { text: onMatter(sight, draw) }
  const fact = takesIn(sight)
  if (sent === 0) return { text: "Hi, what's going on?" }
  if (fact !== null) return { text: fact }
  if (sent > 5 && !hasPlan(sight)) return { text: plan(sight, draw) }
  if (isAsked(sight)) return { text: ground(sight, draw) }
  return { text: sent > 8 ? fresh(CLOSING, sight, draw) : onMatter(sight, draw) }
}

/** Returns true if the learner has nothing to find out from this colleague, and so talks about their own week. */
function isAboutThemselves({ npc }: Sight): boolean {
  return npc.decisionFacts.length === 0 && npc.walk !== 'guide'
}

const SHORT_WEEK = [
  'yes',
  'too many projects',
  'yesterday',
  'I said yes',
  'I could ask her',
  "that's all",
  'no',
  'the list',
  'Monday',
]

const SHORT = [
  'ok',
  'yes',
  'go on',
  'and?',
  'right',
  'sure',
  'how bad?',
  'since when?',
  'hm',
  'fine',
  'I see',
  'makes sense',
]

const ELSEWHERE = [
  'Did you see the match last night?',
  'I had pasta for lunch, it was good.',
  'Is it always this cold in here?',
  'My cat is unwell today, sadly.',
  'Have you been to Lisbon?',
  'I like that mug.',
]

const HURRIED = [
  "I haven't got all day. Yes or no?",
  'Just give me the number.',
  'Can you put it in one sentence?',
  'Fine, and what do I do now?',
]

const GOODBYES = ['I have to go. Bye!', 'Really, I must go. Goodbye.', 'Bye now.', "I'm off, see you later."]

const DOUBTS = [
  "I don't believe that.",
  'Are you sure about that?',
  "That doesn't sound like a reason to me.",
  'Who says so?',
  'I have heard the opposite.',
  'And if you are wrong?',
]

const CLOSING = [
  'Understood. Who should I see now?',
  'All right, thanks.',
  "Thanks, that's clear.",
  'Thank you, I have what I need.',
]

const MIXED = [
  "Hola, what's going on?",
  'Und was heißt das for the decision?',
  'No entiendo, can you say it otra vez?',
  'Okay, pero why?',
  'Das ist viel. What matters most?',
  'Y quién decides that?',
  'Genau. And then?',
]

const MIXED_BEGINNINGS = ['Bueno.', 'Also gut.', 'Pues sí.', 'Na ja.']
