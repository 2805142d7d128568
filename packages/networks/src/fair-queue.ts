/** Where a task stands in a {@link FairQueue}. */
interface Turn {
  /** Who shares with whom, the largest group first: an address, and one of the people behind it. */
  readonly path: readonly string[]
  /** What the task is expected to cost, in any one unit. */
  readonly cost: number
}

/** Tasks that wait. Groups share what is served: each gets as much as any other, however many tasks it has. */
export interface FairQueue<T> {
  readonly size: number
  add(task: T, turn: Turn): void
  /** Removes the task whose turn it is. */
  take(): T | undefined
  /** Removes the task that would be served last: the one to reject when too many wait. */
  drop(): T | undefined
  delete(task: T): void
}

/** A group, a part of a group, or all of them. */
interface Share<T> {
  /** What was served to it, on the scale of its parent: its next task begins there. */
  served: number
  /** Where the part that is furthest began. A part that was idle begins here, and gets nothing for that time. */
  now: number
  size: number
  readonly parts: Map<string, Share<T>>
  readonly tasks: Map<T, number>
}

const newShare = <T>(): Share<T> => ({ served: 0, now: 0, size: 0, parts: new Map(), tasks: new Map() })

/** Idle parts of a share that are kept besides as many as tasks wait. */
const spareParts = 16

/** The next task of a share, with the shares that it passes. */
interface Found<T> {
  readonly task: T
  readonly cost: number
  readonly path: readonly Share<T>[]
}

/**
 * Weighted fair queueing (Demers, Keshav, Shenker 1989; start tags as in Goyal, Vin, Cheng 1996): the next task is the one
 * that would end first if all groups were served at once, in equal parts. A group with cheap tasks passes groups with
 * expensive ones as long as it gets no more than its part. Equals take turns, and within a group the cheapest goes first.
 *
 * Nothing is remembered once the queue is empty: everything was served then.
 */
export function createFairQueue<T>(): FairQueue<T> {
  const paths = new Map<T, readonly string[]>()
  let root = newShare<T>()

  /** @param isBefore - whether the first end is preferred to the second */
  function find(share: Share<T>, isBefore: (a: number, b: number) => boolean): Found<T> | undefined {
    let found: Found<T> | undefined
    let foundEnd = 0
    for (const [task, cost] of share.tasks) {
      if (found && !isBefore(share.now + cost, foundEnd)) continue
      found = { task, cost, path: [] }
      foundEnd = share.now + cost
    }
    for (const part of share.parts.values()) {
      const inner = part.size > 0 ? find(part, isBefore) : undefined
      if (!inner) continue
      const end = part.served + inner.cost
      if (found && !isBefore(end, foundEnd)) continue
      found = { ...inner, path: [part, ...inner.path] }
      foundEnd = end
    }
    return found
  }

  /** Forgets parts that have nothing more to wait for than a new one would. */
  function newPart(share: Share<T>): Share<T> {
    if (share.parts.size > 2 * share.size + spareParts)
      for (const [name, { size, served }] of share.parts)
        if (size === 0 && served <= share.now) share.parts.delete(name)
    return newShare()
  }

  function remove(task: T): readonly string[] {
    const path = paths.get(task) ?? []
    paths.delete(task)
    let share: Share<T> | undefined = root
    for (const name of path) {
      share.size--
      share = share.parts.get(name)
      if (!share) return path
    }
    share.size--
    share.tasks.delete(task)
    if (paths.size === 0) root = newShare()
    return path
  }

  return {
    get size() {
      return paths.size
    },
    add(task, { path, cost }) {
      paths.set(task, path)
      let share = root
      for (const name of path) {
        share.size++
        const part: Share<T> = share.parts.get(name) ?? newPart(share)
        share.parts.set(name, part)
        if (part.size === 0) part.served = Math.max(part.served, share.now)
        share = part
      }
      share.size++
      share.tasks.set(task, cost)
    },
    take() {
      const next = find(root, (a, b) => a < b)
      if (!next) return undefined
      let share = root
      for (const [depth, part] of next.path.entries()) {
        share.now = Math.max(share.now, part.served)
        part.served += next.cost
        // The last of its equals from now on.
        const name = paths.get(next.task)?.[depth] ?? ''
        share.parts.delete(name)
        share.parts.set(name, part)
        share = part
      }
      remove(next.task)
      return next.task
    },
    drop() {
      const last = find(root, (a, b) => a >= b)
      if (last) remove(last.task)
      return last?.task
    },
    delete(task) {
      if (paths.has(task)) remove(task)
    },
  }
}
