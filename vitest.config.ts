import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          include: ['test/{core,wire,actor,sims,widget,scripts}/**/*.test.{ts,tsx}'],
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
          include: ['test/socket/**/*.test.ts'],
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
