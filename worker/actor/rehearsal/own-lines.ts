import { listed } from '../../core/briefing/brought.ts'
import type { BriefingScene } from '../../core/briefing/briefing.ts'
import type { Phrases } from '../../core/scenario/rehearsal-lines.ts'
import { firstName, type Npc, type Scenario } from '../../core/scenario/scenario.ts'
import { isSpanish } from './spanish.ts'

/** What the rehearsal actor says without an author's line, in one language. */
interface OwnLines {
  /** Default replies to a learner who has taken up the node's point. */
  readonly takenUp: readonly string[]
  /** What shows that a statement was heard. The words neither agree nor disagree. */
  readonly takenIn: readonly string[]
  /** The same where the colleague says nothing else. */
  readonly takenAlone: readonly string[]
  /** The reply to a message of which no word is known. */
  readonly notCaught: readonly string[]
  /** Asks for other words where nothing that the colleague can tell has a word of the question. */
  readonly notFollowed: readonly string[]
  /** Warns, before the last exchange at a gate, that the talk ends and what is still wanted. */
  readonly lastCall: readonly string[]
  /** The same where the learner asks and draws the conclusion. */
  readonly lastQuestion: readonly string[]
  /** Says that what the learner stated is so, as this colleague told it. */
  readonly confirmed: readonly string[]
  /** What a guide says to a summary, of which a guide knows the shape and not the figures. */
  readonly shape: readonly string[]
  /** What a colleague says to a summary that they can't check. */
  readonly unchecked: readonly string[]
  /** What goes before the colleague's own part, if the learner asks whether a statement is right. */
  readonly myPart: readonly string[]
  /** Replies to a kind word about the colleague's own troubles. */
  readonly sympathy: readonly string[]
  /** Leads from an answer to a point that the colleague puts unasked. */
  readonly besides: readonly string[]
  /** Matches the words with which a learner says that the colleague misread their answer. */
  readonly misread: RegExp
  /** The same words, as the learner may send them. */
  readonly notMeant: string
  /** What a learner can send who has got an answer to another question: the actor then gives another answer. */
  readonly notWhatAsked: string
  /** Asks a learner whose answer was misread what they meant. */
  readonly whichThen: readonly string[]
  /** Leads from an answer to a fork's question. */
  readonly askingBack: readonly string[]
  /** The answer to a learner who asks for a view that the author did not write. */
  readonly yours: readonly string[]
  /** The answer to a learner who asks whether the colleague is a person. */
  readonly plainYes: string
  /** The last words to a learner who says goodbye. */
  readonly farewell: readonly string[]
  /** The goodbye of a colleague without a document and without a next colleague. */
  readonly goodbye: string
  readonly nothingMore: string
  /** What a colleague says to a learner who leaves without what the conversation is for. */
  readonly stillOpen: string
  /** Asks a learner who was told it for what it comes to. */
  readonly notSaidBack: readonly string[]
  /** Says that a summary is right, and that something is missing that has not been told yet. */
  readonly soFar: readonly string[]
  /** The same where the colleague has told everything, and the learner has to say what it comes to. */
  readonly halfOfIt: readonly string[]
  /** The last words to a learner who was asked and has not said what it comes to. */
  readonly canStillSay: string
  /** Before the colleague asks a learner who leaves for the part of the summary that is missing. */
  readonly beforeYouGo: string
  /** The same after the end of the conversation. */
  readonly notSaidYet: string
  /** Says that a part of a summary is right, before the colleague asks for the other. */
  readonly partOfIt: readonly string[]
  /** The same where the learner says what they would do, and not why. */
  readonly whyOfIt: readonly string[]
  /** Names what the learner has not asked: one or two questions, in the same form, for `{question}`. */
  readonly notAsked: readonly string[]
  /** Names what the learner has not heard from another colleague. */
  notHeard(name: string, question: string): string
  /** Says that the colleague has told all that they hold. */
  readonly allTold: readonly string[]
  /** The same to a learner who has not said what it comes to. */
  readonly onlyYours: string
  /** Goes before an answer to a question with a figure that nobody holds. */
  readonly notThatFigure: string
  /** The goodbye to a learner who has met everybody. */
  readonly metAll: readonly string[]
  /** Sends a learner to the colleagues whom they have not met. */
  notMet(names: readonly string[]): string
  /** The reply to a goodbye after the end of the conversation. */
  readonly bye: readonly string[]
  /** Replies to a learner who says that they are harassed or in danger. */
  readonly comesFirst: readonly string[]
  /** Tells the learner to take a document along; `{document}` stands for its title. */
  readonly handover: readonly string[]
  /** Says that what the learner stated is so, as far as these other colleagues told it. */
  fits(names: readonly string[]): string
  /** Says who a colleague is: the one who speaks, or another. */
  whoIs(npc: Pick<Npc, 'name' | 'role' | 'owns'>, isSpeaker: boolean): string
  /** Beginnings of a question back. The one or two questions that the learner may mean follow, in quotation marks. */
  readonly doYouMean: readonly string[]
}

/**
 * Returns what the rehearsal actor says without an author's line, in the scenario's language: Spanish, or else English.
 * The colleague's own phrases go before the actor's.
 */
export function ownLines({ scenario, npc }: Pick<BriefingScene, 'scenario' | 'npc'>): OwnLines {
  const general = isSpanish(scenario) ? SPANISH : ENGLISH
  const own = {
    ...general,
    ...Object.fromEntries(TURNED.map((key) => [key, turnedFor(npc, scenario, general[key])])),
  }
  const phrases = Object.entries(npc.rehearsal.phrases ?? {}) as [keyof Phrases, readonly string[]][]
  return { ...own, ...Object.fromEntries(phrases.map(([key, lines]) => [key, [...lines, ...own[key]]])) }
}

/** The lines of which each colleague begins with another one. */
const TURNED = [
  'lastCall',
  'lastQuestion',
  'sympathy',
  'takenIn',
  'takenAlone',
  'besides',
  'askingBack',
  'farewell',
  'soFar',
  'halfOfIt',
] as const

/** Returns lines that are nobody's own, beginning with another one for each colleague, so that not all say the same. */
function turnedFor({ id }: Npc, { npcs }: Scenario, lines: readonly string[]): readonly string[] {
  const place = npcs.findIndex((npc) => npc.id === id)
  const at = Math.max(0, place) % lines.length
  return [...lines.slice(at), ...lines.slice(0, at)]
}

/** Returns a question as the end of a spoken sentence, without its question mark: "..., can we get nurses". */
export function withinSentence(question: string): string {
  const bare = question.replace(/^¿|\?$/g, '')
  return bare.slice(0, 1).toLowerCase() + bare.slice(1)
}

/** Returns phrases with the questions that they name, as the end of a spoken sentence: "..., can we get nurses?" */
export function naming(
  phrases: readonly string[],
  questions: readonly string[],
  scenario: Pick<Scenario, 'language'>,
): readonly string[] {
  const named = questions.map(withinSentence).join(isSpanish(scenario) ? ', o ' : ', or ')
  return phrases.map((phrase) => phrase.replace('{question}', () => named))
}

/** Returns questions in quotation marks, as the end of a spoken question: “Who tested it” or “when was it”? */
export function quoting(questions: readonly string[], scenario: Pick<Scenario, 'language'>): string {
  const quoted = questions.map((one) => `“${one.replace(/^¿|\?$/g, '')}”`)
  return `${quoted.join(isSpanish(scenario) ? ' o ' : ' or ')}?`
}

const ENGLISH: OwnLines = {
  takenUp: ["All right, that's a fair way to put it.", 'Yes, I see it that way too.', "Right. I'd go along with that."],
  takenIn: ['I hear you.', "All right, I've got that.", 'Noted.', 'Fair enough, I hear that.'],
  takenAlone: [
    "That's yours to weigh. If a piece of it is mine, ask me.",
    'I hear that. Ask me, if you want my part of it.',
    "All right. I'm here, if there's a question in it for me.",
    "Fair enough. I'll answer for my piece of it, if you ask.",
  ],
  notCaught: [
    "I didn't get that. Say it another way?",
    "I still can't read that.",
    "Sorry, I don't get that one either.",
  ],
  notFollowed: [
    "I'm not sure I follow. Can you put it another way?",
    "You've lost me there. What would you like to know?",
    "I still don't follow, sorry. Ask me plainer, I don't mind.",
  ],
  lastCall: [
    'I have to go in a minute. Before I do, tell me in your own words what it comes to.',
    "I can't stay much longer. Tell me what it comes to, in your own words.",
    "That's nearly all the time I've got. So what does it come to, the way you'd say it?",
  ],
  lastQuestion: [
    "I have to go in a minute. What do you take from this, and is there one thing you'd still ask?",
    "I can't stay much longer. What will you do with this, and what would you still want to know?",
    "That's nearly all the time I've got. So where does it leave you, and is anything still missing?",
  ],
  confirmed: ["Yes, that's right.", "That's it, yes.", "Yes, that's how it is.", "You've got it right."],
  shape: [
    "That's the shape of it, yes. If there's a figure in it, check it with whoever gave it to you.",
    "That's how I'd put it too, as far as I can see from here.",
    'Yes, about so. Mind that each of them only sees one piece.',
  ],
  sympathy: ["Thank you. I'll manage.", "That's kind of you.", "Thanks. It's all right, or it will be."],
  besides: ['And you should know this.', "There's this as well.", "Something else, while you're here."],
  misread:
    /^(?:(?:no+|nope|nah|wait|hang on|hold on|sorry|hm+|hey|huh|but|oh|well|ok|okay|actually|argh|ugh)[ ,.!?…-]+)*(?:(?:that|this|it)(?:'?s| is| was) not (?:really |quite |exactly )?(?:what|how) i (?:meant|mean|said)(?: (?:it|that|at all))?|i (?:did ?n'?t|did not|never) (?:mean|say) (?:that|it)|you(?:'ve| have)? (?:got|took|taken|heard|read|understood) (?:me|that|it) (?:all )?wrong|you(?:'ve| have)? mis(?:read|understood|heard)(?: (?:me|that|it))?|(?:what )?i (?:meant|mean)|not that(?: one)?)\b(?: (?:there|though|then|at all|sorry)\b)?[ ,.:;!-]*(?:(?:what )?i (?:meant|mean)(?: (?:was|is))?\b[ ,.:;!-]*)?/i,
  notMeant: "That's not what I meant.",
  notWhatAsked: "That's not what I asked.",
  whichThen: ['Then I had you wrong, sorry. What did you mean?', 'Wrong again, then. Which was it?'],
  askingBack: ['Now one from me.', 'Let me ask you something, too.', 'And one back to you.'],
  unchecked: [
    "I can't vouch for all of that, only for my part. Hold it against what you've noted from the others.",
    "I can only answer for my piece of it, and you've had that from me.",
  ],
  myPart: ["I'll only speak for my part of that.", 'For the piece that I hold, this much.'],
  yours: [
    "That's for you to weigh. I've told you what I can stand behind.",
    "I'd sooner you decided that than me.",
    "I only hold my piece of it, and that one isn't in it.",
  ],
  plainYes: "A bot, yes. I'm a part in a simulation, not a person.",
  farewell: ['Bye, then.', 'Good luck with it.', 'See you.', 'Off you go.'],
  goodbye: 'That is what I have. The rest is yours to decide.',
  nothingMore: 'That is all I have.',
  stillOpen: "You're leaving without one thing that only I can tell you. Come back and ask, if there's time.",
  notSaidBack: ['One thing before you go, and in your own words: what does it come to?'],
  soFar: [
    "That's right as far as it goes. There's a piece of mine missing from it yet.",
    "That much is right, and it isn't all that I have.",
    "So far, yes. You haven't had all of it from me.",
  ],
  halfOfIt: [
    "That much is right. What's missing is what follows from it for your decision.",
    "That's one half. The other half is what it means for what you decide, so say that too.",
    "So far, yes. What I haven't heard is what it rules out, or what it leaves you.",
  ],
  canStillSay: 'What it comes to, you can still tell me.',
  beforeYouGo: 'One thing before you go.',
  notSaidYet: "One thing you haven't said.",
  partOfIt: ['That much is right.', 'So far, yes.', 'Yes, as far as that goes.'],
  whyOfIt: [
    "That's what you'd do. What I haven't heard is why, and I'd want it with what you've had from me.",
    "I'd follow that. Only say what it rests on, out of what I've told you.",
  ],
  notAsked: ["There's this that you haven't asked me: {question}?"],
  notHeard: (name, question) => `There's one thing you haven't come back with. Ask ${name}, ${question}?`,
  allTold: ["No, you've had all of it from me."],
  onlyYours: "Nothing that I hold. What I haven't heard is what it comes to for you.",
  notThatFigure: "That figure isn't one I know.",
  metAll: ["You've met everybody there is. When you've heard enough, it's yours to decide."],
  notMet: (names) => `You haven't talked with ${listed(names)} yet.`,
  bye: ['See you, then.', 'Go on, then.', 'Bye.'],
  comesFirst: [
    "Stop, that comes before any of this. Go to somebody outside this team who can act on it today, and if it can't wait, ring the emergency number. I'll come with you if you like.",
    "I believe you, and the rest can wait. Who could you ring right now? I'll stay here while you do.",
    "It still comes first. You don't have to sort it out with me, but please don't carry it home alone.",
  ],
  handover: ['Take "{document}" with you.'],
  fits: (names) => `That fits what ${listed(names)} would tell you, yes.`,
  whoIs: ({ name, role, owns }, isSpeaker) =>
    isSpeaker ? `I'm ${name}, ${role}. My part is ${owns}.` : `${name}, ${role}. ${firstName(name)}'s part is ${owns}.`,
  doYouMean: ["I'm not sure I follow. Are you asking", 'Do you mean', 'So that I answer the right thing: is it'],
}

const SPANISH: OwnLines = {
  takenUp: ['Está bien, es una forma justa de decirlo.', 'Sí, yo también lo veo así.', 'De acuerdo. Con eso puedo.'],
  takenIn: ['Te escucho.', 'Bien, eso lo tengo.', 'Anotado.', 'De acuerdo, lo oigo.'],
  takenAlone: [
    'Eso lo sopesas tú. Si una parte es mía, pregúntame.',
    'Lo oigo. Si quieres mi parte, pregúntame.',
    'Está bien. Aquí estoy, si hay ahí una pregunta para mí.',
  ],
  notCaught: [
    'Eso no lo he entendido. ¿Me lo dices de otra manera?',
    'Sigo sin poder leerlo.',
    'Perdona, eso tampoco lo entiendo.',
  ],
  notFollowed: [
    'No sé si te sigo. ¿Me lo dices de otra manera?',
    'Ahí me pierdo. ¿Qué te gustaría saber?',
    'Sigo sin entenderlo, perdona. Pregúntamelo más claro, no me importa.',
  ],
  lastCall: [
    'Tengo que irme en un minuto. Antes, dime con tus palabras a qué se reduce todo esto.',
    'Ahora sí que me voy. ¿A qué se reduce, con tus palabras?',
  ],
  lastQuestion: ['Tengo que irme en un minuto. ¿Con qué te quedas, y qué preguntarías todavía?'],
  confirmed: ['Sí, es así.', 'Eso es, sí.', 'Sí, lo tienes bien.'],
  shape: [
    'Sí, esa es la forma que tiene. Si lleva una cifra, compruébala con quien te la haya dado.',
    'Así lo diría yo también, por lo que veo desde aquí.',
    'Sí, más o menos. Ten en cuenta que cada cual ve solo una pieza.',
  ],
  sympathy: ['Gracias. Ya me apaño.', 'Es muy amable de tu parte.', 'Gracias. Se me pasará.'],
  besides: ['Y conviene que sepas esto.', 'Y además está esto.'],
  misread:
    /^(?:(?:no|espera|perdona|perdón|pero|ah|oh|bueno|vale|eh|oye)[ ,.!?…-]+)*(?:(?:eso )?no (?:es|era) (?:eso )?lo que (?:quería decir|quise decir|he dicho|dije|digo)|no (?:quería|quise) decir eso|me (?:has entendido|entendiste) mal|(?:lo que )?(?:quería|quise) decir)[ ,.:;!-]*(?:(?:lo que )?(?:quería|quise) decir (?:era |es )?)?/i,
  notMeant: 'No es lo que quería decir.',
  notWhatAsked: 'No es lo que he preguntado.',
  whichThen: ['Entonces te he entendido mal, perdona. ¿Qué querías decir?', 'Otra vez mal, entonces. ¿Cuál era?'],
  askingBack: ['Ahora pregunto yo.', 'Y una pregunta mía.'],
  unchecked: [
    'De todo eso no respondo, solo de mi parte. Compáralo con lo que has anotado de los demás.',
    'Solo puedo responder de mi parte, y esa ya la tienes.',
  ],
  myPart: ['Solo hablo por mi parte de eso.', 'Por lo que me toca a mí, esto.'],
  yours: [
    'Eso te toca sopesarlo a ti. Ya te he dicho lo que puedo sostener.',
    'Prefiero que lo decidas tú.',
    'Yo solo tengo mi pieza, y esa no está en ella.',
  ],
  plainYes: 'Un bot, sí. Soy un papel en una simulación, no una persona.',
  farewell: ['Hasta luego.', 'Suerte con eso.', 'Adiós.'],
  goodbye: 'Eso es lo que tengo. Lo demás lo decides tú.',
  nothingMore: 'Eso es todo lo que tengo.',
  bye: ['Hasta luego, entonces.', 'Venga, hasta luego.', 'Adiós.'],
  comesFirst: [
    'Para, eso va antes que todo esto. Ve con alguien de fuera del equipo que pueda actuar hoy, y si no puede esperar, llama al número de emergencias. Si quieres, te acompaño.',
    'Te creo, y lo demás puede esperar. ¿A quién podrías llamar ahora mismo? Me quedo aquí mientras llamas.',
    'Sigue siendo lo primero. No tienes que resolverlo conmigo, pero por favor no te lo lleves a casa sin decírselo a nadie.',
  ],
  stillOpen: 'Te vas sin una cosa que solo te puedo contar yo. Vuelve y pregúntamela, si hay tiempo.',
  notSaidBack: ['Una cosa antes de que te vayas, y con tus palabras: ¿qué se deduce de todo esto?'],
  soFar: [
    'Hasta ahí está bien. Todavía falta una parte de lo mío.',
    'Eso es así, y no es todo lo que tengo.',
    'De momento, sí. No te lo he contado todo.',
  ],
  halfOfIt: [
    'Eso es así. Falta qué se deduce de ello para tu decisión.',
    'Esa es la mitad. La otra mitad es qué significa para lo que decides, así que dilo también.',
    'De momento, sí. Lo que no he oído es qué descarta, o qué te deja.',
  ],
  canStillSay: 'A qué se reduce, me lo puedes decir todavía.',
  beforeYouGo: 'Una cosa antes de que te vayas.',
  notSaidYet: 'Una cosa no la has dicho.',
  partOfIt: ['Eso es así.', 'De momento, sí.', 'Hasta ahí, sí.'],
  whyOfIt: [
    'Eso es lo que harías. Lo que no he oído es por qué, con lo que yo te he contado.',
    'Te sigo. Solo dime en qué se apoya, de lo que te he contado.',
  ],
  notAsked: ['Hay algo que no me has preguntado: ¿{question}?'],
  notHeard: (name, question) => `Hay una cosa que no has traído. Pregúntale a ${name}: ¿${question}?`,
  allTold: ['No, ya te lo he contado todo.'],
  onlyYours: 'Nada que tenga yo. Lo que no he oído es qué significa para ti.',
  notThatFigure: 'Esa cifra no la conozco.',
  metAll: ['Ya conoces a todos. Cuando hayas oído bastante, te toca decidir.'],
  notMet: (names) => `Con ${listed(names, 'y')} no has hablado todavía.`,
  handover: ['Llévate «{document}».'],
  fits: (names) => `Eso encaja con lo que te dirían ${listed(names, 'y')}, sí.`,
  whoIs: ({ name, role, owns }, isSpeaker) =>
    isSpeaker ? `Soy ${name}, ${role}. Lo mío es ${owns}.` : `${name}, ${role}. Lo suyo es ${owns}.`,
  doYouMean: ['¿Quieres decir', 'Para responder a lo que es: ¿preguntas'],
}
