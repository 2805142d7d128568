import type { Logger } from 'pino'

/** Closes everything that was started, in reverse order, and continues if one of them fails. */
export class Closers {
  readonly #steps: { readonly name: string; readonly close: () => Promise<unknown> }[] = []
  #closing: Promise<void> | undefined

  add(name: string, close: () => Promise<unknown>): void {
    this.#steps.push({ name, close })
  }

  /** What is not closed yet: each part, in the order of closing. */
  remaining(): readonly string[] {
    return this.#steps.toReversed().map(({ name }) => name)
  }

  /** May be called again. */
  close(log: Logger): Promise<void> {
    this.#closing ??= this.#closeAll(log)
    return this.#closing
  }

  async #closeAll(log: Logger): Promise<void> {
    for (let step = this.#steps.at(-1); step; step = this.#steps.at(-1)) {
      const { name, close } = step
      try {
        await close()
      } catch (error) {
        log.warn({ err: error }, `${name} could not be closed`)
      }
      this.#steps.pop()
    }
  }
}
