import type { Address, PublicClient } from 'viem'
import { describeError } from '../recovery-error.ts'
import { t } from '../words.ts'
import type { Move } from './plan-moves.ts'

/** The moves that are possible, and why the others are not. */
export interface Sorted {
  readonly possible: readonly Move[]
  /** As sentences. */
  readonly impossible: readonly string[]
}

/** Tries each move separately, so that one paused token does not hold back everything else. */
export async function dropFailing(
  client: PublicClient,
  account: Address,
  moves: readonly Move[],
): Promise<Sorted> {
  const tried = await Promise.all(
    moves.map(async (move) => {
      try {
        await client.call({ account, ...move.call })
        return { move }
      } catch (error) {
        return {
          move,
          problem: t('{what} cannot be moved: {reason}', { what: move.what, reason: describeError(error) }),
        }
      }
    }),
  )
  return {
    possible: tried.filter(({ problem }) => problem === undefined).map(({ move }) => move),
    impossible: tried.flatMap(({ problem }) => problem ?? []),
  }
}
