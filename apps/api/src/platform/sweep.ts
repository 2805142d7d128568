/** Goes through a list page by page, one page a pass, and begins again at its end: everything comes up. */
export interface Sweep<T> {
  /** The next page; empty only when the list is. */
  next(): Promise<readonly T[]>
}

/**
 * The place in the list is kept in memory, so each process sweeps by itself, and starts over after a restart.
 *
 * @param read - a page of at most `size`, in a fixed order, after an item of an earlier page
 */
export function createSweep<T>(
  size: number,
  read: (after: T | undefined, size: number) => Promise<readonly T[]>,
): Sweep<T> {
  let last: T | undefined
  return {
    async next() {
      const after = last
      // Whatever happens to this page, the next pass takes the next one.
      const page = await read(after, size)
      last = page.length < size ? undefined : page.at(-1)
      return page.length === 0 && after !== undefined ? this.next() : page
    },
  }
}
