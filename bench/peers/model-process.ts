import path from 'node:path'
import { type Child, startChild } from './child.ts'

export interface Plan {
  /** The tokens of one answer. */
  readonly tokens: number
  /** The time between two tokens of an answer, in milliseconds; 0 for none. */
  readonly paceMs: number
}

/** The process that plays the model. */
export class ModelProcess {
  readonly #child: Child

  private constructor(child: Child) {
    this.#child = child
  }

  static async start(): Promise<ModelProcess> {
    return new ModelProcess(await startChild(process.execPath, [path.join(import.meta.dirname, 'model.ts')]))
  }

  url(modelPath: string): string {
    return `http://127.0.0.1:${this.#child.url.port}${modelPath}`
  }

  /** Sets how the model answers from now on, and numbers the tokens from 0 again. */
  async plan(plan: Plan): Promise<void> {
    await fetch(this.url('/plan'), { method: 'POST', body: JSON.stringify(plan) })
  }

  /** Returns the time at which each token since the last plan was sent. */
  async sent(): Promise<readonly number[]> {
    return (await (await fetch(this.url('/sent'))).json()) as readonly number[]
  }

  stop(): Promise<void> {
    return this.#child.stop()
  }
}
