/**
 * Iterates over a list page by page, one page per pass, and starts again at its end, so that every item gets
 * its turn.
 */
export interface Sweep<T> {
  /** The next page; it is empty only when the list is empty. */
  next(): Promise<readonly T[]>
}

/**
 * The position is kept in memory, so each process has its own sweep, which starts over after a restart.
 *
 * @param read - reads a page of at most `size` items, in a fixed order, after an item of an earlier page
 */
export function createSweep<T>(
  size: number,
  read: (after: T | undefined, size: number) => Promise<readonly T[]>,
): Sweep<T> {
  let last: T | undefined
  return {
    async next() {
      const after = last
      // Even if this page fails, the next pass takes the next one.
      const page = await read(after, size)
      last = page.length < size ? undefined : page.at(-1)
      return page.length === 0 && after !== undefined ? this.next() : page
    },
  }
}
