/** Keeps the end of a text: what a process printed last explains its failure best. */
export class Ring {
  readonly #limit: number
  #text = ''
  #isCut = false

  /** @param limit characters; at most twice as many are held */
  constructor(limit: number) {
    this.#limit = limit
  }

  add(text: string): void {
    this.#text += text
    if (this.#text.length <= 2 * this.#limit) return
    this.#text = this.#text.slice(-this.#limit)
    this.#isCut = true
  }

  toString(): string {
    return this.#isCut ? `(earlier lines are cut)\n${this.#text}` : this.#text
  }
}
