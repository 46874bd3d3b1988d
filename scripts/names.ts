import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** An exported name and the files that declare it. */
export interface DeclaredName {
  readonly name: string
  readonly files: readonly string[]
}

/** The folders to search. The tests' folders are not searched, because helpers of tests may share names. */
const PRODUCT = ['worker', 'widget', 'sims', 'scripts']

/**
 * Lists the names that more than one file exports, so that one of them can be renamed. A re-export doesn't count. A
 * type and a value of one name in one file count as one declaration.
 *
 * @param root the repository's folder
 */
export async function namesDeclaredTwice(root: string): Promise<readonly DeclaredName[]> {
  const filesOf = new Map<string, Set<string>>()
  for (const file of await productFiles(root)) {
    for (const name of declaredIn(await readFile(path.join(root, file), 'utf8'))) {
      filesOf.set(name, (filesOf.get(name) ?? new Set()).add(file))
    }
  }
  return [...filesOf]
    .filter(([, files]) => files.size > 1)
    .map(([name, files]) => ({ name, files: [...files] }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

async function productFiles(root: string): Promise<readonly string[]> {
  const found = await Promise.all(
    PRODUCT.map(async (folder) => {
      const entries = await readdir(path.join(root, folder), { recursive: true })
      return entries.map((entry) => path.posix.join(folder, entry.replaceAll('\\', '/')))
    }),
  )
  return found
    .flat()
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
    .toSorted()
}

const DECLARATION =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) ([\w$]+)/gm

function declaredIn(source: string): readonly string[] {
  return [...source.matchAll(DECLARATION)].flatMap(([, name]) => name ?? [])
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const { name, files } of await namesDeclaredTwice(path.resolve(import.meta.dirname, '..'))) {
    console.log(`${name}\n${files.map((file) => `    ${file}`).join('\n')}`)
  }
}
