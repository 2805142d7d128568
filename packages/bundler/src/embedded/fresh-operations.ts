import type { Hex } from 'viem'
import type { WaitingOperation } from './stored-operation.ts'

/** `recorded`: its row and a bundle's say that it goes. `given-back`: nothing was done with it. */
export type FreshOutcome = 'recorded' | 'given-back'

interface Entry {
  readonly waiting: WaitingOperation
  readonly resolve: (outcome: FreshOutcome) => void
  readonly reject: (error: unknown) => void
}

/**
 * Operations whose signatures were written just now, by requests of this process that wait for their delivery. Their rows
 * say `submitting`, so they are in nobody's queue: what is forgotten here, the worker delivers again.
 */
export class FreshOperations {
  readonly #entries = new Map<Hex, Entry>()

  get size(): number {
    return this.#entries.size
  }

  all(): readonly WaitingOperation[] {
    return [...this.#entries.values()].map(({ waiting }) => waiting)
  }

  has(hash: Hex): boolean {
    return this.#entries.has(hash)
  }

  /** Whether the sender has one here: two of one sender never wait together. */
  hasSender(sender: string): boolean {
    return this.all().some(({ operation }) => operation.sender === sender)
  }

  /** Resolves or rejects by one of the following. */
  add(waiting: WaitingOperation): Promise<FreshOutcome> {
    const { promise, resolve, reject } = Promise.withResolvers<FreshOutcome>()
    this.#entries.set(waiting.hash, { waiting, resolve, reject })
    return promise
  }

  end(hash: Hex, outcome: FreshOutcome): void {
    this.#take(hash)?.resolve(outcome)
  }

  /** @param explain - finds out which error it is; undefined: none, the chain has the operation */
  refuse(hash: Hex, explain: (waiting: WaitingOperation) => Promise<Error | undefined>): void {
    const entry = this.#take(hash)
    if (!entry) return
    explain(entry.waiting).then((error) => {
      if (error) entry.reject(error)
      else entry.resolve('given-back')
    }, entry.reject)
  }

  #take(hash: Hex): Entry | undefined {
    const entry = this.#entries.get(hash)
    this.#entries.delete(hash)
    return entry
  }
}
