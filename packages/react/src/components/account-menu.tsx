import { useEffect, useId, useRef, useState } from 'react'
import { useLanyardContext } from '../lanyard-context.ts'
import { fill, type Texts } from '../texts.ts'
import { useLanyard } from '../use-lanyard.ts'
import { useTexts } from '../use-texts.ts'
import { AddressText, CopyAddress } from './address.tsx'

export interface AccountMenuProps {
  readonly className?: string
  /** Other words. */
  readonly texts?: Texts
}

/** Pixels, with the margin to the window's edge. */
const panelWidth = 344

/** The signed-in account: name, address to copy, the service's wallet, signing out. Renders nothing for others. */
export function AccountMenu({ className = '', texts }: AccountMenuProps) {
  const { account, signOut } = useLanyard()
  const { service } = useLanyardContext()
  const [isOpen, setOpen] = useState(false)
  const [align, setAlign] = useState<'start' | 'end'>('start')
  const root = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const id = useId()
  const say = useTexts(texts)

  useEffect(() => {
    if (!isOpen) return
    const closeOutside = ({ target }: Event) => {
      if (!root.current?.contains(target as Node)) setOpen(false)
    }
    const closeByKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      setOpen(false)
      opener.current?.focus()
    }
    document.addEventListener('pointerdown', closeOutside)
    document.addEventListener('focusin', closeOutside)
    document.addEventListener('keydown', closeByKey)
    return () => {
      document.removeEventListener('pointerdown', closeOutside)
      document.removeEventListener('focusin', closeOutside)
      document.removeEventListener('keydown', closeByKey)
    }
  }, [isOpen])

  if (!account) return null
  return (
    <div ref={root} className={`lanyard lanyard-menu ${className}`}>
      <button
        ref={opener}
        type="button"
        className="lanyard-button lanyard-quiet"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={fill(say.account, { name: account.username })}
        onClick={({ currentTarget }) => {
          // At the right of a page, where accounts mostly are, the panel ends where the button ends.
          const { left } = currentTarget.getBoundingClientRect()
          setAlign(left + panelWidth > window.innerWidth ? 'end' : 'start')
          setOpen(!isOpen)
        }}
      >
        <span className="lanyard-avatar" data-initial={[...account.username][0]?.toUpperCase()} />
        {account.username}
      </button>
      <div id={id} className="lanyard-panel lanyard-stack" data-align={align} hidden={!isOpen}>
        <strong className="lanyard-name">{account.username}</strong>
        <AddressText address={account.address} />
        <CopyAddress address={account.address} texts={texts} />
        <a className="lanyard-button lanyard-quiet" href={service} target="_blank" rel="noopener">
          {say.wallet}
        </a>
        <button type="button" className="lanyard-button lanyard-quiet" onClick={signOut}>
          {say.signOut}
        </button>
      </div>
    </div>
  )
}
