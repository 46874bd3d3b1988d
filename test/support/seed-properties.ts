import * as fc from 'fast-check'
import { runs } from './runs.ts'

// All properties of a run use one seed. vitest.config.ts chooses the seed, and a long run prints it.
fc.configureGlobal({ seed: Number(process.env['WALKON_SEED']), numRuns: runs('usual') })
