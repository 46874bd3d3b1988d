import * as fc from 'fast-check'
import { runs } from './runs.ts'

// All property tests of a test run use one seed. vitest.config.ts chooses the seed, and `npm run test:long` prints it.
fc.configureGlobal({ seed: Number(process.env['WALKON_SEED']), numRuns: runs('usual') })
