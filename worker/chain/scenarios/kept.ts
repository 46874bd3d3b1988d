import type { Graph } from '../../core/graph/graph.ts'
import { LastUsed } from '../../last-used.ts'
import type { StoredScenario } from './stored-scenario.ts'

/** The most scenarios that an isolate keeps. A scenario has up to a megabyte of text. */
export const MOST_SCENARIOS = 8

/** The most graphs that an isolate keeps. A graph has some 10 kB of text. */
const MOST_GRAPHS = 64

/**
 * The scenarios that this isolate read last, frozen. The key is the SHA-256 of a scenario's body; for a scenario that a
 * session has stored in itself, it is the scenario's text.
 */
export const keptScenarios = new LastUsed<StoredScenario>(MOST_SCENARIOS)

/** The graphs that this isolate made or read last, frozen, by the SHA-256 of their texts. */
export const keptGraphs = new LastUsed<Graph>(MOST_GRAPHS)
