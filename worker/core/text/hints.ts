import type { MessageHints } from '../walk/event.ts'

/**
 * Reads from a learner's words whether the message says goodbye or asks something, in every language of the shipped
 * pages, because learners mix languages. A goodbye counts only at the end of a message. A message with a question mark
 * must end with a plain "bye" or "see you" ("maybe Maya? Anyway, bye!"), and none may put the goodbye off: "before I say goodbye, what
 * does the contract say?" is not a goodbye.
 */
export function readHints(text: string): MessageHints {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’ʼ]/g, "'")
    .replace(/(?<!\p{L})ill(?= (?:be|go|let|leave|get|talk|speak|see|stop|catch|head|decide)(?!\p{L}))/gu, "i'll")
    .replace(/\s+/g, ' ')
    .trim()
  const question = plain.includes('?') || plain.split(/(?<=:)\s+/).some((part) => QUESTION.test(part))
  const takesLeave = (words: string): boolean => {
    const last = words.split(/(?<=[.!;?])\s+/).at(-1) ?? ''
    const isAsked = last.includes('?') || (!BYE.test(last) && (plain.includes('?') || QUESTION.test(last)))
    return !isAsked && GOODBYE.test(last)
  }
  const goodbye = [plain, plain.replace(HOPE, '')].some(takesLeave) && !NOT_YET.test(plain)
  return { goodbye, question }
}

/** Matches thanks or a wish behind the goodbye: "I have to go. Hope your mum is fine", "I'll go and decide. Thanks, put the kettle on". */
const HOPE =
  /(?<=[.!])\s+(?:(?:i )?hope (?:you|your|he|she|it|they|the)|(?:and |oh )?(?:thanks|thank you|cheers|enjoy|keep|good luck))(?![\p{L}])[^.!?]{0,40}[.!]?$/u

const BYE = /(?<!\p{L})(?:good ?bye|bye|see (?:you|ya)|take care|good ?night|i'?m off|adiós|tschüss)(?!\p{L})/u

const QUESTION =
  /^(?:(?:ok|okay|and|so|but|well|wait|hang on|hold on|hm+|no|right|sorry|then|y|pero|und|aber)[ ,.!]+)*(?:i (?:just )?(?:asked|meant|mean)|i'?m asking|what|why|how|who|when|where|which|can you|could you|do you|does|did|is (?:it|that|there)|are (?:there|you)|qué|por qué|cómo|quién|cuándo|dónde|cuál|cuánt[oa]s?|was|warum|wieso|wie|wer|wann|wo|welche[rs]?)(?![\p{L}])/u

/** Words with which a visitor thanks for the talk. */
const THANKS_FOR_TIME =
  '(?:(?:thanks|thank you|cheers)(?: (?:so|very) much| a lot| again)?,? for (?:your|the) (?:time|talk|chat)|gracias por (?:tu|su) tiempo|danke für (?:deine|ihre|die) zeit)'
const THANKS = '(?:[ ,]+(?:and )?(?:thank you|thanks)(?: again| a lot| so much)?)?'
/** Wishes for the time after a talk. "Good evening" is a greeting. */
const WISH =
  '(?:(?:have an? (?:good|great|nice|lovely|quiet|calm|safe|pleasant|wonderful|restful|peaceful)|enjoy (?:the|your)|have fun with (?:the|your)|good luck (?:with|w|on|for) (?:the|your))(?: \\p{L}+){1,2}|have an? (?:good|great|nice|lovely) one|good ?night|take care|good luck(?: (?:upstairs|downstairs|there|out there|today|tonight|tomorrow|with (?:it|that|everything|all (?:of )?(?:it|this|that))))?|get some (?:sleep|rest)(?: (?:later|soon|today|tonight|tomorrow|when you can))?|safe (?:travels|journey|trip)|give (?:your|the) \\p{L}+ (?:all )?my (?:best|love|regards)|que (?:tengas|tenga) [\\p{L} ]{3,20}|schönen (?:tag|abend|feierabend)(?: noch)?)'

/** Words that take leave, in English, Spanish and German. */
const GOODBYE = new RegExp(
  `(?<![\\p{L}])(?:${[
    '(?:good ?)?bye(?: bye)?(?: for (?:now|real|good))?(?: now| then)?',
    "(?:good ?)?bye(?: for now)?[ ,]*[-\u2013\u2014,] ?i(?:'ll| will|'m| am) [\\p{L}' ]{2,50}",
    'cheerio|ciao|cya|cu|ttyl|farewell|(?<=^|[.,!;] ?)so long',
    'see (?:you|ya)(?: (?:later|around|soon|then|there|tomorrow|tonight|(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day))?',
    '(?:talk|speak|catch) (?:to |with )?(?:you|up)? ?(?:later|soon)',
    "(?:i(?:'ve| have)? (?:got to|gotta|need to|must|have to|should|better)|gotta|have to|need to|must) (?:go(?: and decide)?|run|leave|dash|head (?:off|out))(?: now)?",
    "i(?:'?m| am) (?:off|leaving|going|out of here)(?: now)?",
    "(?:i(?:'?m| am) |(?<=^|[.,!;] ?)(?:(?:and|so|now|right|then)[ ,]+)*)off(?: now)? to (?!an? )[\\p{L}' ]{2,40}",
    "i(?:'?ll| will) (?:send|tell|text|write|show|bring) (?:you|u) (?:what|how|when) (?:i(?:'ve| have)? decided?|i(?:'ve| have)? sent|it goes)",
    "i(?:'m going to| am going to|'ll| will) (?:go (?:and |to )?decide|go (?:and |to )?make (?:my|the) decision)(?: now)?",
    "i(?:'m| am) going to (?:decide|make (?:my|the) decision) now",
    "i(?:'ll| will) (?:be (?:off|going)|leave you to it|leave it (?:there|here|at that)|stop here|get (?:on with it|going|to it)|let you (?:go|get on|get back to it|(?:do|take|finish|get back to) (?:your|the) \\p{L}+|work|sleep))",
    "(?:i(?:'d|'ve| had| have)? (?:better |got to |to )?|time to |let me )(?:get |be )?(?:going|back to work)",
    "(?<!(?:and|then|till|until|before|when|if|once) )(?:i(?:'m| am)|we(?:'re| are)) done(?: here| for (?:now|today|tonight))?",
    "that(?:'s| is|'ll be| will be| would be)? (?:all|it|everything|enough)(?: from me| i (?:need|needed|have|wanted))? for (?:now|today|tonight|the moment)",
    "that(?:'ll| will|'d| would) be all",
    '(?:eso es todo|es todo|nada más) por (?:ahora|hoy)|das (?:war|ist) alles (?:für (?:jetzt|heute))?',
    `${THANKS_FOR_TIME}(?:,? (?:and |so )?${WISH})?`,
    WISH,
    "i(?:'?ll| will) go (?:and )?(?:see|find|talk (?:to|with)|speak (?:to|with)) [\\p{L}' ]{2,30}",
    "i(?:'ve| have)? (?:got to|need to|must|have to) go (?:and )?(?:see|talk (?:to|with)|speak (?:to|with)) [\\p{L}' ]{2,30}",
    'adiós|adios|chau|hasta (?:luego|pronto|mañana|la vista)|nos vemos|me (?:voy|tengo que ir)|tengo que irme',
    'tschüss|tschüs|auf wiedersehen|bis (?:bald|später|dann|morgen)|ich muss (?:los|gehen|weg)',
  ].join('|')})${THANKS}(?:[ ,]+[\\p{L}]{1,12})?${THANKS}[.! )]*$`,
  'u',
)

/** Matches words that put a goodbye off or deny it, and a greeting: "Hi, thanks for your time" takes no leave. */
const NOT_YET =
  /^(?:hi|hello|hey|hola|hallo)(?![\p{L}])|(?<![\p{L}])(?:before (?:i|we|you)|not (?:yet|going|leaving)|don't (?:go|leave)|wait|one more|antes de|noch nicht)(?![\p{L}])/u
