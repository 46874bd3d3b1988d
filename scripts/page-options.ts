import type { BuildOptions } from 'esbuild'

/** The esbuild options for all code that runs in a browser. */
export const PAGE_OPTIONS = {
  bundle: true,
  metafile: true,
  platform: 'browser',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
  jsx: 'automatic',
  jsxImportSource: 'preact',
} satisfies BuildOptions
