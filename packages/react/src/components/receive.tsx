import { useMemo } from 'react'
import { encode } from 'uqr'
import { useLanyardContext } from '../lanyard-context.ts'
import { fill, type Texts } from '../texts.ts'
import { useAccount } from '../use-account.ts'
import { useNetworks } from '../use-networks.ts'
import { useTexts } from '../use-texts.ts'
import { AddressText, CopyAddress } from './address.tsx'

export interface ReceiveProps {
  readonly className?: string
  /** Chain id. Default: the provider's. */
  readonly network?: number
  /** Other words. */
  readonly texts?: Texts
}

/** The address of the signed-in account, also as a QR code. Renders nothing for others. */
export function Receive({ className = '', network: own, texts }: ReceiveProps) {
  const account = useAccount()
  const { network: usual } = useLanyardContext()
  const { data: networks } = useNetworks()
  const say = useTexts(texts)
  if (!account) return null
  const { address } = account
  const chain = networks?.find(({ network }) => network === (own ?? usual))
  return (
    <div className={`lanyard lanyard-stack ${className}`}>
      <QrCode text={address} label={fill(say.qrCode, { address })} />
      <AddressText address={address} />
      <CopyAddress address={address} texts={texts} />
      {chain && <p className="lanyard-hint">{fill(say.receiveHint, { network: chain.name })}</p>}
    </div>
  )
}

/** A QR code as one path. It is always dark on white, since some cameras cannot read the reverse. */
function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, path } = useMemo(() => {
    const { data, size } = encode(text, { ecc: 'M', border: 2 })
    const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
    return { size, path }
  }, [text])
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} className="lanyard-qr">
      <path d={path} />
    </svg>
  )
}
