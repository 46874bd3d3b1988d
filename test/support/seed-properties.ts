import * as fc from 'fast-check'
import { runs } from './runs.ts'

// All properties of a run draw from one seed, which vitest.config.ts chooses and a long run prints.
fc.configureGlobal({ seed: Number(process.env['WALKON_SEED']), numRuns: runs('usual') })
