import type { HeardMessage } from './hear.ts'

/**
 * Returns true if a message waves the matter away: the learner doesn't care, doesn't believe it, denies it, sneers, or
 * calls it fine. "We can't ship at 23%" and "that's not okay" do not wave anything away.
 */
export function dismisses(heard: HeardMessage): boolean {
  const stated = heard.sentences.filter(({ form, plain }) => form !== 'question' || !REAL.test(plain))
  // What comes before "but" is granted: "8% looks fine on a slide, but it hides the rest".
  const said = stated.map(({ plain }) => plain.replace(GRANTED, '')).join(' ')
  return SIGNS.some((sign) => sign.test(said)) || heard.sentences.some(claimsCompliance)
}

/** Matches what is granted before a "but" that goes on for some words. */
const GRANTED = /^.*,? but (?=(?:\S+ ){3})/

/** Matches a real question: "Is 23% fine?", "What if it's nothing?". "Who cares?" is not a real question. */
const REAL =
  /^(?:(?:so|and|but|ok|okay|well|then),? )*(?:is|are|was|were|would|do|does|did|has|have|will|what (?:if|happens)|how (?:is|are|was|can|could|do|does|did|come)|why (?:is|are|was|does|did))\b/

/**
 * Returns true for a claim of compliance without a condition: "So we're under the limit and fine". "If we hold it back
 * we're fine" has a condition, so it is a plan.
 */
function claimsCompliance({ plain, form }: HeardMessage['sentences'][number]): boolean {
  return form !== 'question' && COMPLIANCE.test(plain) && !CONDITION.test(plain)
}

const COMPLIANCE =
  /\b(?:we|it|everything|this|that)(?: all)? (?:is|are|would be|will be|should be) (?:still |all |totally |perfectly |well |just )*(?:fine|compliant|covered|in the clear|all right|(?:under|below|within|inside) (?:the |our |what )?(?:\w+ )?(?:\d+(?:\.\d+)? ?(?:%|percent)? ?)?(?:limits?|ceilings?|contract|cap|bar|sla|threshold|allow\w*))\b|\b(?:and|so) (?:fine|compliant)\b/
const CONDITION =
  /\b(?:if|without|unless|once|when|until|otherwise|as long as|provided|the rest|hold|holding|held|leave|left|keep|kept|block\w*|but|except|not|nowhere|far|general|would)\b/

const SHRUGGED =
  '(?:care|matter|mind|count|important|relevant|apply|bother\\w*|worr\\w+|concern\\w*|interest\\w*|give an? \\w+)'
const NO_TROUBLE =
  '(?:an?|the|any|much of an?|really an?) (?:issue|problem|blocker|concern|big deal|deal\\w*|reason|showstopper|worry)'
const FINE =
  '(?:fine|ok|okay|all good|acceptable|tolerable|nothing|normal|wrong(?! (?:(?:about|nearly|almost|roughly|over|more than|up to|at|in|on|for|with) )*(?:\\d|one|a quarter|a third|half|too|so|that|often|the|medical|health))|overblown|exaggerated|made up|bogus|rubbish|nonsense|bullshit|good enough|close enough)'

const SIGNS: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:do|does|did|would|should|could|can|is|are|am|will) not (?:\w+ ){0,2}?(?:${SHRUGGED}|${NO_TROUBLE})\b`,
  ),
  new RegExp(
    String.raw`\b(?:not|hardly|never) (?:really |actually |exactly )?(?:bothered|worried|interested|important|${NO_TROUBLE})\b`,
  ),
  new RegExp(String.raw`\bnot think\b.*\b(?:matters?|important|serious|that bad|${NO_TROUBLE})\b`),
  /\b(?:do|does|did|can|will) not (?:really |actually )?(?:believe|buy|accept|trust) (?:it|that|this|the|those|your|\d)/,
  /\b(?:who cares|so what(?= ?(?:[?.!,]|$| if))|whatever(?= ?(?:[.!?,]|$))|irrelevant|disagree|i doubt|nonsense|rubbish|bullshit|never mind|not to worry|no (?:big deal|problem|issue|blocker|breach))\b/,
  /(?:^|[.?!,] )big deal\b/,
  /\b(?<!\bif )(?:we|you|i|they|can|could|should|let us|just|to|will) (?:ignore|forget|skip|overlook|hide|bury) (?:about )?(?:it|that|this|the|those|them|your)\b|^(?:ignore|forget|skip) /,
  new RegExp(
    String.raw`(?:\b(?:it|that|this|these|those|percent|which)|%|\d) (?:is|are|seems?|looks?|sounds?|would be|will be) (?:(?!not\b|no\b|never\b)\w+ )?${FINE}\b`,
  ),
  /\b(?:am|are|is) (?:totally |perfectly |probably |just )?(?:fine|ok|okay|happy) with\b/,
  /\b(?:nobody|no one|nothing|none) (?:\w+ ){0,2}?(?:cares?|reads?|notices?|checks?|minds?)\b/,
  /\b(?:only|just|merely) an? (?:number|guideline|detail|technicality|formality|clause|figure)\b/,
  /(?:\b(?:it|that|this|which|percent)|%|\d) is an? (?:mere |minor |small |tiny )?(?:detail|technicality|formality)\b/,
  /\b(?:is|are|was) not (?:really |actually )?(?:\d|true|right|real|correct|accurate)/,
  /\b(?:is|are|am|do|does|did|will|would) not (?:really |actually |even |exactly )?(?:in |an? |any )?(?:breach|break|violat|exceed|over|above)/,
  /\b(?:what a|it is (?:all )?a|this is a|such a|a total) (?:joke|farce|circus|waste)\b|\bwaste of (?:\w+ )?time\b/,
  /\byou are (?:just |so |all |simply )?(?:wrong|mistaken|exaggerating|overreacting|paranoid)\b/,
  /\b(?:nothing|none|nobody|no one)(?: of (?:it|them|that|these|those))? (?:ever |will |would |can )*(?:gets?|slips?|leaks?|goes|comes|misses|escapes?) ?(?:through|past|by|out)?\b/,
  /\b(?:no|zero) (?:leaks?|misses)\b|\b(?:do|does|did|will|would|can) not (?:ever |really )?(?:leak|miss|slip through|get through)\b/,
  /\bi (?:really |just )?do not (?:really )?want to (?:do this|talk)\b[ .!]*$/,
  /\b(?:good|close|near) enough\b|\b(?:ship|launch) (?:it )?anyway\b/,
]
