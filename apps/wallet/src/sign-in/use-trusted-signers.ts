import { signerId } from '@lanyard/smart-balance'
import { useQuery } from '@tanstack/react-query'
import { useSession } from './session-context.tsx'
import { fetchTrustedSigners } from './trusted-signers.ts'

/** The pins (`signerId`) of owners that this device can verify. */
export function useTrustedSigners() {
  const { account } = useSession()
  return useQuery({
    // The key starts with "owners", so that a change of owners invalidates it.
    queryKey: ['owners', account, 'signers'],
    queryFn: async ({ signal }) => (await fetchTrustedSigners(account, signal)).map(signerId),
  })
}
