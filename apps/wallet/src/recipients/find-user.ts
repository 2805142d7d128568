import { trpc } from '../api/trpc.ts'
import { readServiceError } from '../errors/service-error.ts'
import type { Recipient } from './recipient.ts'

/**
 * Finds the user with exactly this name, ignoring letter case.
 *
 * @returns undefined if there is no such user
 * @throws errors of the service
 */
export async function findUser(name: string, signal: AbortSignal): Promise<Recipient | undefined> {
  try {
    const { username, wallet } = await trpc.user.details.query({ username: name }, { signal })
    return { username, address: wallet.scw_address }
  } catch (error) {
    const code = readServiceError(error)?.code
    if (code === 'UNKNOWN_USER' || code === 'INVALID_INPUT') return undefined
    throw error
  }
}
