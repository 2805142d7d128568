import type { Usage } from '../../platform/load/slots.ts'

/** How much one holder may use: a caller, or the network of addresses that it belongs to. */
interface Allowance {
  /** Milliseconds of a processor that may be used at once. */
  readonly size: number
  /** Milliseconds that are refilled in a millisecond. */
  readonly refill: number
}

interface Level {
  /** What was used and is not refilled yet, at `at`. */
  used: number
  /** Deposits of calls that are running. */
  held: number
  at: number
  /** The part of `used` that other processes do not know yet. */
  pendingSync: number
  readonly allowance: Allowance
}

export interface Holder {
  readonly name: string
  readonly allowance: Allowance
}

/** What one process added since the last exchange. */
interface Use {
  readonly name: string
  readonly used: number
  readonly allowance: Allowance
}

/** Levels of use that drain continuously. They are kept in memory, and exchanged with other processes. */
export interface Allowances {
  /**
   * Holds a deposit with every holder, if all of them have room for it.
   *
   * @returns a function that replaces the deposit by what was really used; or the holder without room, and
   * the milliseconds until it has some
   */
  take<H extends Holder>(
    holders: readonly H[],
    deposit: number,
  ): { settle(used: number): void } | { readonly holder: H; readonly wait: number }
  /** What a holder has used and is not refilled yet, without deposits. */
  of(holder: Holder): Usage
  /** The part of its allowance that a holder has used at `now`, with deposits: 0 to 1, or more. */
  usedPart(holder: Holder, now: number): number
  /** What was used since the last call, for other processes. */
  pendingSync(): readonly Use[]
  /** Replaces a level by the common one. */
  learn(name: string, used: number): void
  /** Puts back what could not be shared. */
  keep(uses: readonly Use[]): void
  readonly size: number
}

/** Number of levels from which on full allowances are dropped. */
const dropFrom = 1_024

interface Options {
  /** The part of an allowance from which on its use is shared with other processes. */
  readonly shareFrom?: number
  /** Milliseconds, monotonic. */
  readonly clock?: () => number
}

export function createAllowances({
  shareFrom = 0.05,
  clock = () => performance.now(),
}: Options = {}): Allowances {
  const levels = new Map<string, Level>()
  let dropAt = dropFrom

  function drain(level: Level, now = clock()): Level {
    level.used = Math.max(0, level.used - (now - level.at) * level.allowance.refill)
    level.at = now
    return level
  }

  function levelOf({ name, allowance }: Holder): Level {
    const known = levels.get(name)
    if (known) return drain(known)
    if (levels.size >= dropAt) dropFull()
    const level = { used: 0, held: 0, at: clock(), pendingSync: 0, allowance }
    levels.set(name, level)
    return level
  }

  function charge(level: Level, used: number): void {
    drain(level)
    level.used += used
    level.pendingSync += used
  }

  /** A dropped level is the same as a full allowance. The pause between two sweeps grows with what is left. */
  function dropFull(): void {
    for (const [name, level] of levels) {
      if (drain(level).used === 0 && level.held === 0) levels.delete(name)
    }
    dropAt = Math.max(dropFrom, 2 * levels.size)
  }

  return {
    get size() {
      return levels.size
    },
    take(holders, deposit) {
      for (const holder of holders) {
        const { used, held, allowance } = levelOf(holder)
        const missing = used + held + Math.min(deposit, allowance.size / 2) - allowance.size
        if (missing > 0) return { holder, wait: missing / allowance.refill }
      }
      const held = holders.map((holder) => levelOf(holder))
      for (const level of held) level.held += deposit
      let isSettled = false
      return {
        settle(used) {
          if (isSettled) return
          isSettled = true
          for (const level of held) {
            level.held -= deposit
            charge(level, used)
          }
        },
      }
    },
    of(holder) {
      return {
        read() {
          const known = levels.get(holder.name)
          return known ? drain(known).used : 0
        },
        add(used) {
          if (used > 0) charge(levelOf(holder), used)
        },
        refill: holder.allowance.refill,
      }
    },
    usedPart(holder, now) {
      const known = levels.get(holder.name)
      if (!known) return 0
      const { used, held, allowance } = drain(known, now)
      return (used + held) / allowance.size
    },
    pendingSync() {
      const uses: Use[] = []
      for (const [name, level] of levels) {
        // Small amounts wait: an ordinary caller never causes a statement.
        if (level.pendingSync < level.allowance.size * shareFrom) continue
        uses.push({ name, used: level.pendingSync, allowance: level.allowance })
        level.pendingSync = 0
      }
      return uses
    },
    learn(name, used) {
      const level = levels.get(name)
      if (!level) return
      drain(level)
      level.used = used + level.pendingSync
    },
    keep(uses) {
      for (const { name, used } of uses) {
        const level = levels.get(name)
        if (level) level.pendingSync += used
      }
    },
  }
}
