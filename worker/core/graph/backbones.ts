import type { Tier } from '../scenario/scenario.ts'
import type { Backbone } from './backbone.ts'
import { TECHNICAL } from './technical.ts'

/** The backbone each tier's conversations walk. */
export const BACKBONES: Readonly<Record<Tier, Backbone>> = { TECHNICAL }
