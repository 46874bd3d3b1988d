import { availableParallelism } from 'node:os'
import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Most files wait for a process or a browser, so that on two cores one at a time would take twice as long.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: ['default', './test/support/closing-line-reporter.ts'],
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          include: ['test/{core,wire,actor,session,sims,widget,scripts}/**/*.test.{ts,tsx}'],
        },
      },
      {
        plugins: [cloudflareTest({ wrangler: { configPath: './test/worker/socket/wrangler.toml' } })],
        test: {
          name: 'worker',
          include: ['test/worker/**/*.test.ts'],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'socket',
          environment: 'node',
          expect: { poll: { timeout: 10_000 } },
          include: ['test/{socket,conversations}/**/*.test.ts'],
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'e2e',
          environment: 'node',
          expect: { poll: { timeout: 10_000 } },
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
