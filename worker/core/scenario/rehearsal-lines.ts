/**
 * What the rehearsal actor says for one colleague. Every line is something a person says out loud: one to three
 * sentences. No line is said twice in a conversation, so a list is a supply, in the order it is used up.
 */
export interface RehearsalLines {
  /** Lines by node id. A node without an entry is spoken from its bound content. */
  readonly nodes: Readonly<Record<string, NodeLines>>
  /** The same for the states of a context graph: by the state's name, or `graph.state` in a graph it refers to. */
  readonly states: Readonly<Record<string, StateLines>>
  /** What they say when asked. The document and the knowledge answer whatever these do not. */
  readonly answers: readonly AuthoredAnswer[]
  /** What counts as registering a decision fact, one entry for each of `decisionFacts`, in the same order. */
  readonly acknowledgements: readonly FactGroups[]
  /** How they hand a question on, by colleague. */
  readonly redirects: readonly Redirect[]
  readonly asides: Asides
}

/** Something said. A line that makes a point names the point, so that the point is made once, in whatever words. */
export type SpokenLine = string | PointLine

export interface PointLine {
  readonly say: string
  readonly point: string
}

export interface NodeLines {
  /** On arrival: the node's point. In a pivot: a few words that lead up to the question. */
  readonly open: readonly SpokenLine[]
  /** While it has not landed, one an exchange. In a pivot: the question again, in other words. */
  readonly stay: readonly SpokenLine[]
  /** Once the plain wording has failed. */
  readonly escalated: readonly SpokenLine[]
  /** When it has landed. */
  readonly satisfied: readonly SpokenLine[]
}

/** What is said and heard in one state of a context graph. Lists go by the place of the action or exit. */
export interface StateLines {
  readonly actions: readonly (readonly SpokenLine[])[]
  /** Words or phrases of a learner that speak for an exit, besides its description. */
  readonly exits: readonly (readonly string[])[]
  /** What a reflection here comes to, the first that fits what was said last. */
  readonly conclusions: readonly Conclusion[]
}

export interface Conclusion {
  /** It fits when the learner's last message holds one of these; with none it always fits. */
  readonly hears: readonly string[]
  readonly text: string
}

export interface AuthoredAnswer {
  /** Words or phrases a learner would ask with. */
  readonly asks: readonly string[]
  /** The same answer in different words; the first that was not said yet. */
  readonly say: readonly string[]
  /** The point it makes, or null when it makes none. */
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

/** What they say to whatever is not the matter in hand. */
export interface Asides {
  /** Asked for a figure that nobody's subject covers. */
  readonly unknown: readonly string[]
  /** Asked something else they can't answer. */
  readonly noIdea: readonly string[]
  /** The learner did not follow; the node's next line comes after it. */
  readonly inOtherWords: readonly string[]
  /** Asked the same thing again. */
  readonly again: readonly string[]
  /** The learner waves the decisive fact away. */
  readonly pushback: readonly string[]
  /** Nothing to do with any of this. */
  readonly offTopic: readonly string[]
  readonly hello: readonly string[]
  readonly thanks: readonly string[]
  /** An empty message, or one without words. */
  readonly wordless: readonly string[]
  /** A language they do not read. */
  readonly foreign: readonly string[]
  /** An insult: cool, human, brief. */
  readonly insult: readonly string[]
  /** When a node's own lines are used up. */
  readonly idle: readonly string[]
  /** Read aloud from the document; `{line}` is the line. */
  readonly quoting: readonly string[]
}
