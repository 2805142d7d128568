import { trpc } from '../api/trpc.ts'
import { useCancellableMutation } from '../api/use-cancellable-mutation.ts'
import { readServiceError } from '../errors/service-error.ts'
import { t } from '../i18n/t.ts'
import type { Recipient } from './recipient.ts'

/** Looks up the user with an exact name, for a form that was submitted with a name. */
export function useRecipientLookup() {
  return useCancellableMutation<Recipient | undefined, string>({
    mutationFn: (signal, name) => findUser(name, signal),
  })
}

/** The field's error if nobody has the name. */
export const nobodyText = (name: string) => t('Nobody here is called “{name}”. Check the spelling.', { name })

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
