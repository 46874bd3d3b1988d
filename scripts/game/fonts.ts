import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'
import subsetFont from 'subset-font'

/** A typeface of the page: the typeface's source file, and the weights to keep. */
interface Face {
  readonly file: string
  readonly weights: { readonly min: number; readonly max: number }
}

const FACES: Readonly<Record<string, Face>> = {
  'walkon-serif.woff2': {
    file: '@fontsource-variable/newsreader/files/newsreader-latin-wght-normal.woff2',
    weights: { min: 400, max: 600 },
  },
  'walkon-sans.woff2': {
    file: '@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2',
    weights: { min: 400, max: 700 },
  },
}

/**
 * The characters in the page's fonts: ASCII, Spanish letters and typographic marks. The browser shows any other
 * character in an installed font. A test checks that the simulations and the page's texts use only these characters.
 */
export const CHARACTERS = [
  Array.from({ length: 95 }, (_, index) => String.fromCodePoint(32 + index)).join(''),
  'áéíóúüñÁÉÍÓÚÜÑ¿¡ºª',
  '–—‘’“”«»…·›×−≤≥€£°½²³µ\u00a0',
].join('')

/** The OpenType features to keep: kerning, lining figures, and figures of equal width for tables. */
const FEATURES = ['kern', 'lnum', 'tnum']

/**
 * Replaces `url('walkon-serif.woff2')` in a style sheet with a font that contains only `CHARACTERS`. `cache` is the
 * folder for the results.
 */
export function fonts(root: string, cache: string): Plugin {
  return {
    name: 'fonts',
    setup(build) {
      build.onResolve({ filter: /^walkon-\w+\.woff2$/ }, ({ path }) => ({ path, namespace: 'font' }))
      build.onLoad({ filter: /.*/, namespace: 'font' }, async ({ path }) => {
        const face = FACES[path]
        if (!face) return { errors: [{ text: `there is no typeface ${path}` }] }
        return { contents: await subsetOf(face, root, cache), loader: 'file' }
      })
    },
  }
}

async function subsetOf({ file, weights }: Face, root: string, cache: string): Promise<Uint8Array> {
  const whole = await readFile(join(root, 'node_modules', file))
  const wanted = JSON.stringify([CHARACTERS, FEATURES, weights])
  const name = `${createHash('sha256').update(whole).update(wanted).digest('hex').slice(0, 16)}.woff2`
  const kept = await readFile(join(cache, name)).catch(() => null)
  if (kept) return kept
  const subset = await subsetFont(whole, CHARACTERS, {
    targetFormat: 'woff2',
    variationAxes: { wght: weights },
    keepFeatures: FEATURES,
    noHinting: true,
  })
  await mkdir(cache, { recursive: true })
  await writeFile(join(cache, name), subset)
  return subset
}
