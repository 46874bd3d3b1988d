import { dirname, join } from 'node:path'
import * as esbuild from 'esbuild'
import type { Plugin } from 'esbuild'
import { CSS_TARGET } from '../build-widget.ts'

/**
 * A stylesheet that a script imports becomes a module with its text, bundled and shrunk: what is loaded late brings its
 * styles along, as constructed sheets. The page's own stylesheet stays one.
 */
export function stylesAsText(minify: boolean): Plugin {
  return {
    name: 'styles-as-text',
    setup(build) {
      build.onResolve({ filter: /\.css$/ }, ({ path, resolveDir, kind }) =>
        kind === 'import-statement' ? { path: join(resolveDir, path), namespace: 'style-text' } : undefined,
      )
      build.onLoad({ filter: /.*/, namespace: 'style-text' }, async ({ path }) => {
        const { outputFiles, metafile } = await esbuild.build({
          entryPoints: [path],
          bundle: true,
          write: false,
          minify,
          metafile: true,
          charset: 'utf8',
          target: CSS_TARGET,
          logLevel: 'silent',
        })
        const text = outputFiles[0]?.text.trim() ?? ''
        return {
          contents: `export const css = ${JSON.stringify(text)}`,
          resolveDir: dirname(path),
          watchFiles: Object.keys(metafile.inputs),
        }
      })
    },
  }
}
