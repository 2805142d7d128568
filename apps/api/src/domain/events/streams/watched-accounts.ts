import { LanyardError } from '@lanyard/contracts'
import { type Caller, groupOf } from '../../accounts/callers/caller.ts'

/**
 * Maximum number of accounts whose logs the addresses of one network may have read. It is more than the wallets of an
 * office. Beyond 500 accounts, all logs of a chain are read (`watchAccountLogs`).
 */
const maxAccounts = 100

/** Seconds after which the caller may try again. */
const retryAfter = 60

/** The accounts whose logs are read because somebody listens, by who listens. */
export interface WatchedAccounts {
  /**
   * Counts an account until the reading of its logs ends, which is later than its stream.
   *
   * @throws RATE_LIMITED
   */
  add(caller: Caller, account: string, time: { readonly now: Date; readonly until: Date }): void
}

export function createWatchedAccounts(): WatchedAccounts {
  // In the order in which they end, since all watches last equally long.
  const watches = new Map<string, { readonly group: string; readonly until: Date }>()
  return {
    add({ kind, name }, account, { now, until }) {
      if (kind === 'key') return
      for (const [key, watch] of watches) {
        if (watch.until > now) break
        watches.delete(key)
      }
      const group = groupOf({ kind, name })
      const key = `${group} ${account}`
      if (!watches.delete(key)) {
        const count = [...watches.values()].filter((watch) => watch.group === group).length
        if (count >= maxAccounts) {
          throw new LanyardError('RATE_LIMITED', {
            message: `Your network already listens to ${maxAccounts} accounts. Poll for the state instead.`,
            details: { retryAfter },
          })
        }
      }
      watches.set(key, { group, until })
    },
  }
}
