/** Is this OpenAI itself, and not one of the many that speak its protocol? Its regional hosts count. */
export function isOpenAiHost(baseURL: string): boolean {
  return /(^|\.)api\.openai\.com$/.test(new URL(baseURL).hostname)
}
