import { trpc } from '../api/trpc.ts'
import { readServiceError } from '../errors/service-error.ts'
import type { Recipient } from './recipient.ts'

/**
 * The user of exactly this name, letter case aside.
 *
 * @returns undefined where nobody is called so.
 * @throws what the service throws.
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
