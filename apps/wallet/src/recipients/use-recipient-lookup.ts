import { useCancellableMutation } from '../api/use-cancellable-mutation.ts'
import { findUser } from './find-user.ts'
import type { Recipient } from './recipient.ts'

/** Looks up who has exactly a name, for a form that was submitted with one. */
export function useRecipientLookup() {
  return useCancellableMutation<Recipient | undefined, string>({
    mutationFn: (signal, name) => findUser(name, signal),
  })
}

/** What stands at the field where nobody has the name. */
export const nobodyText = (name: string) => `Nobody here is called “${name}”. Check the spelling.`
