import type { Hex } from 'viem'
import { FullAddress } from '../ui/full-address.tsx'
import { addressOfKey } from './key-id.ts'

/** A session's key, whole: somebody decides by it. */
export function KeyName({ keyId }: { keyId: Hex }) {
  const address = addressOfKey(keyId)
  if (address) return <FullAddress address={address} />
  return (
    <p className="text-sm">
      P-256 key <code className="break-all font-mono text-xs">{keyId}</code>
    </p>
  )
}
