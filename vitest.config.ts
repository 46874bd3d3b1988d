import { availableParallelism } from 'node:os'
import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

/** [setup-12] Of those that share a machine with processes and browsers, and only where nobody is there to run one again. */
const retry = process.env['CI'] === undefined ? 0 : 1

export default defineConfig({
  test: {
    // Most files wait for a process or a browser, so that on two cores one at a time would take twice as long.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: ['default', './scripts/test/closing-line-reporter.ts'],
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          include: ['test/{api,core,wire,actor,session,sims,widget,scripts}/**/*.test.{ts,tsx}'],
          // Properties over every shipped scenario take seconds, and more beside a browser.
          testTimeout: 30_000,
        },
      },
      {
        plugins: [cloudflareTest({ wrangler: { configPath: './test/worker/socket/wrangler.toml' } })],
        test: {
          name: 'worker',
          include: ['test/worker/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        plugins: [cloudflareTest({ wrangler: { configPath: './test/chain/wrangler.toml' } })],
        test: {
          name: 'chain',
          include: ['test/chain/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'socket',
          environment: 'node',
          expect: { poll: { timeout: 30_000 } },
          retry,
          include: ['test/{socket,conversations}/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 240_000,
        },
      },
      {
        test: {
          name: 'e2e',
          environment: 'node',
          expect: { poll: { timeout: 30_000 } },
          retry,
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
})
