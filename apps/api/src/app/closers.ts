import type { Logger } from 'pino'

/** Closes everything that was started, in reverse order, and continues if one of them fails. */
export class Closers {
  readonly #steps: { readonly name: string; readonly close: () => Promise<unknown> }[] = []
  #closing: Promise<void> | undefined

  add(name: string, close: () => Promise<unknown>): void {
    this.#steps.push({ name, close })
  }

  /** May be called again. */
  close(log: Logger): Promise<void> {
    this.#closing ??= this.#closeAll(log)
    return this.#closing
  }

  async #closeAll(log: Logger): Promise<void> {
    for (const { name, close } of this.#steps.reverse()) {
      try {
        await close()
      } catch (error) {
        log.warn({ err: error }, `${name} could not be closed`)
      }
    }
  }
}
