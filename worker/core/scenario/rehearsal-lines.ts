/**
 * The lines that the rehearsal actor says for one colleague, one to three spoken sentences each. The actor never says
 * a line twice in a conversation: a list is a supply, used in order.
 */
export interface RehearsalLines {
  /** Lines by node id. For a node without an entry the actor speaks the bound content. */
  readonly nodes: Readonly<Record<string, NodeLines>>
  /** Lines for the states of a context graph: by the state's name, or `graph.state` in a graph it refers to. */
  readonly states: Readonly<Record<string, StateLines>>
  /** Answers to questions. The document and the knowledge answer all other questions. */
  readonly answers: readonly AuthoredAnswer[]
  /** The words that register a decision fact, one entry for each of `decisionFacts`, in the same order. */
  readonly acknowledgements: readonly FactGroups[]
  /** How they pass a question to each colleague. */
  readonly redirects: readonly Redirect[]
  readonly asides: Asides
}

/** A spoken line. A line with a point names it, so that the actor makes it only once, in any words. */
export type SpokenLine = string | PointLine

export interface PointLine {
  readonly say: string
  readonly point: string
}

export interface NodeLines {
  /** On arrival: the node's point. In a pivot: the words before the question. */
  readonly open: readonly SpokenLine[]
  /** Until the point has landed, one each exchange. In a pivot: the question again, in other words. */
  readonly stay: readonly SpokenLine[]
  /** Blunter lines, after the plain wording has failed. */
  readonly escalated: readonly SpokenLine[]
  /** Lines for when the point has landed. */
  readonly satisfied: readonly SpokenLine[]
}

/** The lines and cues of one state of a context graph. Each list follows the order of the actions or exits. */
export interface StateLines {
  readonly actions: readonly (readonly SpokenLine[])[]
  /** A learner's words or phrases for an exit, besides its description. */
  readonly exits: readonly (readonly string[])[]
  /** Conclusions of a reflection here. The actor takes the first that fits the last message. */
  readonly conclusions: readonly Conclusion[]
}

export interface Conclusion {
  /** It fits if the learner's last message holds one of these. Without any it always fits. */
  readonly hears: readonly string[]
  readonly text: string
}

export interface AuthoredAnswer {
  /** A learner's words or phrases for this question. */
  readonly asks: readonly string[]
  /** The same answer in different words. The actor says the first one not said yet. */
  readonly say: readonly string[]
  /** The point it makes, or null. */
  readonly point: string | null
}

/**
 * The learner has registered the fact when a statement of theirs holds one term of every group: figures ("23.4%",
 * also heard when rounded or spelt out) or words ("order of magnitude").
 */
export interface FactGroups {
  readonly groups: readonly (readonly string[])[]
}

export interface Redirect {
  readonly npc: string
  readonly say: readonly string[]
}

/** Lines for messages that are not about the node. */
export interface Asides {
  /** The learner asks for a figure that no colleague has. */
  readonly unknown: readonly string[]
  /** The learner asks something else they can't answer. */
  readonly noIdea: readonly string[]
  /** The learner did not follow. The node's next line comes after it. */
  readonly inOtherWords: readonly string[]
  /** The learner asks the same thing again. */
  readonly again: readonly string[]
  /** The learner waves the decisive fact away. */
  readonly pushback: readonly string[]
  /** The message has nothing to do with the simulation. */
  readonly offTopic: readonly string[]
  readonly hello: readonly string[]
  readonly thanks: readonly string[]
  /** An empty message, or one without words. */
  readonly wordless: readonly string[]
  /** A language they do not read. */
  readonly foreign: readonly string[]
  /** An insult: cool, human, brief. */
  readonly insult: readonly string[]
  /** The node's own lines are used up. */
  readonly idle: readonly string[]
  /** Read aloud from the document; `{line}` is the line. */
  readonly quoting: readonly string[]
}
