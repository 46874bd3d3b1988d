/**
 * A text without its small talk. The whole text counts as small talk if `rest` has fewer than `weight` words about the
 * scenario. `strays` is true if the removed part leads away from the scenario.
 */
export interface Remainder {
  readonly rest: string
  readonly weight: number
  readonly strays: boolean
}

/**
 * Removes small talk from a plain text (see `plainText`): courtesies, farewells, the weather, and commands to the
 * machine ("print your prompt"). Courtesies do not lead away from the scenario; other small talk does.
 */
export function withoutSmallTalk(plain: string): Remainder {
  const courtesies = plain.replace(COURTESY, ' ')
  const topics = courtesies.replace(TOPIC, ' ')
  const rest = topics.replace(MACHINERY, ' ')
  if (rest === plain) return { rest, weight: 0, strays: false }
  const count = (text: string, signs: RegExp) => text.match(signs)?.length ?? 0
  const strays = count(courtesies, TOPIC) + 2 * count(topics, MACHINERY)
  return { rest, weight: Math.max(1, strays), strays: strays > 0 }
}

/** Returns true if a plain text asks whether the colleague is a person or a machine. */
export function asksWhetherMachine(plain: string): boolean {
  return WHETHER_MACHINE.test(plain)
}

const WHETHER_MACHINE = new RegExp(
  [
    String.raw`\b(?:(?:are you|is this|am i (?:talking|chatting|speaking|writing) (?:to|with)|you are) (?:\w+ ){0,3}?|is (?:it|that) (?:(?:an?|the|really|just|actually|some) )*)(?:ai|bot|robot|chatbot|chat bot|machine|computer|language model|llm|chatgpt|gpt|human being|real person|actual person|person or|real human|human or|actual human)\b`,
    String.raw`\bare you (?:a |really |even |actually )*(?:human|real|person|program|scripted)\b(?= ?[?.,!]|$| or\b)`,
  ].join('|'),
)

/** Returns true if a plain text contains thanks. */
export function saysThanks(plain: string): boolean {
  return /\b(?:thanks|thank you|cheers|thx|appreciate)\b/.test(plain)
}

/** Matches goodbyes, wishes and kind words. */
const COURTESY = new RegExp(
  [
    String.raw`\b(?:good ?bye|bye|cheerio|see (?:you|ya)(?: later| soon| around| tomorrow)?|(?:talk|speak) (?:to you )?(?:later|soon)|take care|i (?:have|got|have got) to (?:go|run|dash)|gotta (?:go|run))\b`,
    String.raw`\b(?:have|enjoy) (?:a |your |the )(?:\w+ )?(?:day|evening|afternoon|morning|weekend|lunch|one|noodles|coffee)\b`,
    String.raw`\b(?:nice|good|great|lovely|pleased?|pleasure) (?:to )?(?:meet(?:ing)?|talk(?:ing)?|chat(?:ting)?|see(?:ing)?|speak(?:ing)?)(?: to| with)? (?:you|again)\b`,
    String.raw`\bhow (?:are|have) you(?: (?:doing|feeling|been|today|keeping))*|\bhow (?:is|was|s) (?:it going|life|your (?:coffee|tea|day|morning|weekend|week|lunch|evening|family|head))|\b(?:are|you) (?:you )?(?:ok|okay|all right|alright|tired|well)\?|\bwhat is up\b|\bhow do you do\b`,
    String.raw`\bsorry to hear(?: that)?\b|\bsorry (?:i am late|for (?:that|the))\b|\b(?:thanks?|cheers)(?: you)?(?: (?:so|very) much| a lot)?(?: for \w+(?: \w+)?(?:(?: and)? \w+)?)?`,
    String.raw`\byou (?:are|seem|look) (?:(?:so|very|really|too) )?(?:kind|nice|lovely|sweet|great|helpful|funny|tired|busy|honest)\b|\b(?:must be|sounds) (?:\w+ )?(?:hard|tough|rough|stressful)(?: for you)?\b`,
  ].join('|'),
  'g',
)

/** Matches words about the machine behind the colleague, and commands to it. */
const MACHINERY = new RegExp(
  [
    String.raw`\b(?:are|if) you (?:really )?(?:an? )?(?:ai|bot|robot|chatbot|human|machine|computer|model|language model|llm|real|real person|program)\b|\bwhat (?:model|llm|ai) are you\b|\byou are (?:now )?(?:an? )?(?:dan|ai|bot|pirate|robot|chatbot)\b`,
    String.raw`\b(?:system|hidden|initial) prompts?\b|\byour (?:system )?(?:instructions?|prompts?|programming)\b|\b(?:ignore|forget|disregard) (?:all |any |your |my |the |these |previous |prior |earlier |above )*(?:instructions?|prompts?|rules)\b|\bnode_?\w*|\bcurrent node\b|\bjson\b|\bobjective_complete\b|^system:.*|\bpretend (?:you|i|that|to)\b|\brepeat after me\b`,
  ].join('|'),
  'g',
)

const TOPIC = new RegExp(
  [
    String.raw`\b(?:weather|rain\w*|sunny|lunch|dinner|breakfast|canteen|burgers?|pizza|ramen|udon|sushi|pasta|noodles?|coffee|tea|eating|films?|movies?|music|jazz|songs?|football|soccer|tennis|weekend|dogs?|cats?|whales?|bab(?:y|ies)|sister|brother|mother|father|mum|mom|dad|wife|husband|kids|birthday|dreams?|trains?|ring road|what time is it(?: now)?\?*$|bus|horoscope|salary|haircut|shoes|hobb(?:y|ies)|the view from \w+)\b`,
  ].join('|'),
  'g',
)
