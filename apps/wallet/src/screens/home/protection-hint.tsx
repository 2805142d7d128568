import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import { nameNetworks } from '../../networks/name-networks.ts'
import { useNetworks } from '../../networks/use-networks.ts'
import { useOwners } from '../../owners/use-owners.ts'
import { Notice } from '../../ui/notice.tsx'

/** Suggests adding a second owner while any network has only one. */
export function ProtectionHint() {
  const { data: networks } = useNetworks()
  const { data: ownership } = useOwners()
  if (!networks || !ownership || ownership.unprotected.length === 0) return null
  const partly = ownership.unprotected.length < ownership.known.length
  const where = partly ? `On ${nameNetworks(ownership.unprotected, networks)}, your` : 'Your'
  return (
    <Notice tone="warning" title={`${where} passkey is the only key to this account.`}>
      If you lose it, you lose access to your funds{partly && ' there'}.{' '}
      <Link to="/owners" className="inline-flex items-center gap-1 font-medium underline underline-offset-4">
        Add a second owner
        <ArrowRight className="size-3.5" aria-hidden="true" />
      </Link>
    </Notice>
  )
}
