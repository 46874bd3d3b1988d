/**
 * The lines that the rehearsal actor says for one colleague, one to three spoken sentences each. The actor never says
 * a line twice in a conversation; it uses the lines of each list in order.
 */
export interface RehearsalLines {
  /** Lines by node id. For a node without an entry the actor says the scenario's content for that node. */
  readonly nodes: Readonly<Record<string, NodeLines>>
  /**
   * Lines for the states of a context graph: by the state's name, or by `graph.state` for a state of a referenced
   * graph.
   */
  readonly states: Readonly<Record<string, StateLines>>
  /**
   * Answers to foreseen questions. The actor answers all other questions from the colleague's document and knowledge.
   */
  readonly answers: readonly AuthoredAnswer[]
  /**
   * The words that show that a learner has taken in a deciding fact, one entry for each of `decisionFacts`, in the same
   * order.
   */
  readonly acknowledgements: readonly FactGroups[]
  /** The lines that pass a question on to each colleague. */
  readonly redirects: readonly Redirect[]
  readonly asides: Asides
  /** The colleague's own words for what every colleague says at times. Where there are none, the actor has its own. */
  readonly phrases?: Phrases
}

/** A spoken line. A line may name the point it makes; the actor then makes that point only once, in any words. */
export type SpokenLine = string | PointLine

export interface PointLine {
  readonly say: string
  readonly point: string
}

export interface NodeLines {
  /** Lines for the arrival in the node, which make the node's point. In a pivot: the words before the question. */
  readonly open: readonly SpokenLine[]
  /**
   * Lines for each exchange until the learner has taken up the point. In a pivot: the question again, in other words.
   */
  readonly stay: readonly SpokenLine[]
  /** Blunter lines, for when the learner has not taken up the plain wording. */
  readonly escalated: readonly SpokenLine[]
  /** Lines for when the learner has taken up the point. */
  readonly satisfied: readonly SpokenLine[]
}

/** The lines and cues of one state of a context graph. Each list follows the order of the state's actions or exits. */
export interface StateLines {
  readonly actions: readonly (readonly SpokenLine[])[]
  /** For each exit, a learner's words or phrases that fit the exit, in addition to the exit's description. */
  readonly exits: readonly (readonly string[])[]
  /** Conclusions for a reflection state. The actor takes the first conclusion that fits the learner's last message. */
  readonly conclusions: readonly Conclusion[]
  /** By a tool's name: when the actor uses the tool, and what it says of the result. It uses no other tool. */
  readonly tools?: Readonly<Record<string, ToolLines>>
}

export interface ToolLines {
  /** A learner's words or phrases that call for the tool. */
  readonly hears: readonly string[]
  /** What the colleague says with the result, which stands for `{result}`. */
  readonly says: string
  /** What the colleague says if there is no result. */
  readonly fails: string
}

export interface Conclusion {
  /**
   * The conclusion fits if the learner's last message contains one of these words or phrases. An empty list always
   * fits.
   */
  readonly hears: readonly string[]
  readonly text: string
}

export interface AuthoredAnswer {
  /** Words or phrases with which a learner asks this question. */
  readonly asks: readonly string[]
  /**
   * Groups of terms. The colleague gives this answer only to a learner whose messages, the current one included, have
   * told them one term of each group, and gives it before an answer without such groups.
   */
  readonly heard?: readonly (readonly string[])[]
  /** Part of a line of another answer, or of a card's reaction. The colleague gives this answer only right after it. */
  readonly follows?: string
  /** What else asks for this answer right after a line, in words that say little without it; `line` is part of the line. */
  readonly after?: readonly { readonly line: string; readonly asks: readonly string[] }[]
  /** The same answer in different words. The actor says the first wording not said yet. */
  readonly say: readonly string[]
  readonly point: string | null
}

/**
 * The terms that show that a learner has taken in one deciding fact. The learner has taken in the fact if a statement
 * of the learner contains one term of every group. Terms are figures ("23.4%", also recognised when rounded or spelt
 * out) or words ("order of magnitude").
 */
export interface FactGroups {
  readonly groups: readonly (readonly string[])[]
  /** Terms that make the statement a wrong one, although it has a term of each group: "shuts at five". */
  readonly not?: readonly string[]
  /** For each group, the question by which the colleague asks for it, if a summary lacks it. */
  readonly questions?: readonly string[]
}

export interface Redirect {
  readonly npc: string
  readonly say: readonly string[]
}

/** A colleague's own words for the cases that every colleague meets. Each list is for one case. */
export interface Phrases {
  /** What the learner stated is right. */
  readonly confirmed?: readonly string[]
  /** A statement was heard. The words neither agree nor disagree. */
  readonly takenIn?: readonly string[]
  /** The talk ends soon, and the learner has not said what it comes to. */
  readonly lastCall?: readonly string[]
  /** The colleague has told all that they hold. */
  readonly allTold?: readonly string[]
  /** The reply to a goodbye after the end of the conversation. */
  readonly bye?: readonly string[]
  /** The goodbye to a learner who has met everybody. */
  readonly metAll?: readonly string[]
  /** The goodbye with the colleague's document; `{document}`, if it is there, stands for its title. */
  readonly handover?: readonly string[]
  /** Asks a learner who leaves, and was told what decides, for what it comes to. */
  readonly notSaidBack?: readonly string[]
  /** The goodbye to a learner who has not asked `{question}`. */
  readonly notAsked?: readonly string[]
  /** Leads from an answer to what the colleague has to tell. */
  readonly besides?: readonly string[]
  /** Leads from an answer to what the colleague asks. */
  readonly askingBack?: readonly string[]
  /** What the learner summed up is right, and a part of the colleague's is missing from it. */
  readonly soFar?: readonly string[]
  /** The same, and what follows from it for the decision is missing. */
  readonly halfOfIt?: readonly string[]
  /** The same to a plan that does not say what it rests on. */
  readonly whyOfIt?: readonly string[]
  /** A question was not understood. */
  readonly notFollowed?: readonly string[]
  /** An answer of the learner's own to the colleague's question was heard. */
  readonly takenUp?: readonly string[]
}

/** Lines for messages that are not about the node. Each list is for one case. */
export interface Asides {
  /** The learner asks for a figure that the colleague does not have. */
  readonly unknown: readonly string[]
  /** The learner asks something else that the colleague cannot answer. */
  readonly noIdea: readonly string[]
  /** The learner did not understand. The actor says the node's next line after a line of this list. */
  readonly inOtherWords: readonly string[]
  readonly again: readonly string[]
  /** The learner waves the decisive fact away. */
  readonly pushback: readonly string[]
  readonly offTopic: readonly string[]
  readonly hello: readonly string[]
  readonly thanks: readonly string[]
  /** The message is empty, or has no words. */
  readonly wordless: readonly string[]
  /** The message is in a language that the colleague does not read. */
  readonly foreign: readonly string[]
  /** The learner insults the colleague. The lines are cool, human and brief. */
  readonly insult: readonly string[]
  /** The actor has already said all of the node's own lines. */
  readonly idle: readonly string[]
  /** Lines that quote the document; `{line}` stands for the quoted line. */
  readonly quoting: readonly string[]
}
