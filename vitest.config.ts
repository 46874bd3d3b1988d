import { availableParallelism } from 'node:os'
import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { configDefaults, defineConfig } from 'vitest/config'

/** [setup-12] The seed of `npm test`, so that its property tests use the same random values in every run. */
export const FIXED_SEED = '20261122'

export function chooseSeed(isLong: boolean, given: string | undefined): string {
  return given ?? (isLong ? String(Math.floor(Math.random() * 2 ** 31)) : FIXED_SEED)
}

export default defineConfig(({ mode }) => {
  const isLong = mode === 'long' || process.env['WALKON_TEST'] === 'long'
  const seed = chooseSeed(isLong, process.env['WALKON_SEED'])
  const env = { WALKON_TEST: isLong ? 'long' : 'short', WALKON_SEED: seed }
  // The reporters and the global set-up run in vitest's own process and read these variables there.
  Object.assign(process.env, env)
  const everywhere = {
    env,
    setupFiles: ['./test/support/seed-properties.ts'],
    exclude: [...configDefaults.exclude, ...(isLong ? [] : ['**/*.long.test.ts'])],
  }
  return {
    test: {
      // A worker for each core: half of the files mostly wait for a server or a browser, and leave it to the others.
      maxWorkers: Math.max(3, availableParallelism()),
      globalSetup: './test/support/shared-servers.ts',
      reporters: ['default', './scripts/test/closing-line-reporter.ts'],
      projects: [
        {
          test: {
            ...everywhere,
            // One project for all test files that run in Node, so that they share the modules that they import. The projects
            // run in the order of their names: this one last, because its many short files leave no core idle at the end.
            name: 'node',
            setupFiles: [...everywhere.setupFiles, './test/support/fresh-connections.ts', './test/support/load-jsx.ts'],
            environment: 'node',
            // Node reads TypeScript itself. Through Vite, the tests took a fifth more of computing time.
            experimental: { viteModuleRunner: false, nodeLoader: false },
            // The files share processes, because starting one for each file took longer than running most files.
            isolate: false,
            expect: { poll: { timeout: 30_000 } },
            include: ['test/**/*.test.{ts,tsx}'],
            exclude: [...everywhere.exclude, 'test/{chain,worker}/**'],
            testTimeout: isLong ? 120_000 : 60_000,
            hookTimeout: 240_000,
          },
        },
        {
          plugins: [cloudflareTest({ wrangler: { configPath: './test/worker/socket/wrangler.toml' } })],
          test: {
            ...everywhere,
            name: 'durable-object',
            isolate: false,
            include: ['test/worker/**/*.test.ts'],
            testTimeout: 120_000,
          },
        },
        {
          plugins: [cloudflareTest({ wrangler: { configPath: './test/chain/wrangler.toml' } })],
          test: {
            ...everywhere,
            name: 'chain',
            isolate: false,
            include: ['test/chain/**/*.test.ts'],
            // The long run's histories of a chain take minutes on a busy machine.
            testTimeout: isLong ? 400_000 : 120_000,
          },
        },
      ],
    },
  }
})
