import { useCancellableMutation } from '../api/use-cancellable-mutation.ts'
import { t } from '../i18n/t.ts'
import { findUser } from './find-user.ts'
import type { Recipient } from './recipient.ts'

/** Looks up the user with an exact name, for a form that was submitted with a name. */
export function useRecipientLookup() {
  return useCancellableMutation<Recipient | undefined, string>({
    mutationFn: (signal, name) => findUser(name, signal),
  })
}

/** The field's error if nobody has the name. */
export const nobodyText = (name: string) => t('Nobody here is called “{name}”. Check the spelling.', { name })
