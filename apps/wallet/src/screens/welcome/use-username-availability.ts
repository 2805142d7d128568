import { useDebounced } from '@lanyard/ui'
import { useQuery } from '@tanstack/react-query'
import { trpc } from '../../api/trpc.ts'
import { describeError } from '../../errors/describe-error.ts'
import { readServiceError } from '../../errors/service-error.ts'
import { serviceText } from '../../errors/service-text.ts'
import { t } from '../../i18n/t.ts'

export type Availability =
  | { readonly state: 'idle' | 'checking' | 'free' | 'taken' }
  | { readonly state: 'refused'; readonly message: string }

/** How the service answers about a name that nobody has and nobody may take. The reason follows. */
const unavailable = 'This username does not exist, and is unavailable. '

/**
 * Whether a name is free, checked when the person pauses typing. Registration decides; this check only
 * reports it earlier.
 */
export function useUsernameAvailability(typed: string): Availability {
  const username = typed.trim()
  const settled = useDebounced(username)
  const { data, error } = useQuery({
    queryKey: ['check-username', settled],
    queryFn: ({ signal }) => trpc.user.checkUsername.query({ username: settled }, { signal }),
    enabled: settled !== '',
  })
  if (username === '') return { state: 'idle' }
  if (settled !== username) return { state: 'checking' }
  if (data?.value) return { state: 'taken' }
  if (data)
    return data.message.startsWith(unavailable)
      ? {
          state: 'refused',
          message: t('This name is not available. {reason}', {
            reason: serviceText(data.message.slice(unavailable.length)),
          }),
        }
      : { state: 'free' }
  if (readServiceError(error)?.code === 'INVALID_INPUT')
    return { state: 'refused', message: describeError(error).title }
  return { state: error ? 'idle' : 'checking' }
}
