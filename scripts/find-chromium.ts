import { findChromium, NoChromiumError } from './chromium.ts'

try {
  const { path, source } = await findChromium()
  console.log(`Chromium for the tests: ${path} (${source})`)
} catch (error) {
  if (!(error instanceof NoChromiumError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
