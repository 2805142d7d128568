import { FullAddress, Identicon } from '@lanyard/ui'
import type { Hex } from 'viem'
import { addressOfKey } from '../calls/key-id.ts'
import { rich } from '../i18n/t.ts'

/** The full key of a session, since people decide based on it. */
export function KeyName({ keyId }: { keyId: Hex }) {
  const address = addressOfKey(keyId)
  if (address)
    return (
      <span className="flex items-center gap-2.5">
        <Identicon address={address} className="size-8" />
        <FullAddress address={address} />
      </span>
    )
  return (
    <p className="text-sm">
      {rich('P-256 key {code}', { code: <code className="break-all font-mono text-xs">{keyId}</code> })}
    </p>
  )
}
