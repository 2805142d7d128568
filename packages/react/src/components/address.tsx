import { useEffect, useState } from 'react'
import type { Address } from 'viem'
import type { Texts } from '../texts.ts'
import { useTexts } from '../use-texts.ts'
import { Icon } from './icon.tsx'

/**
 * A full address in groups of four. All groups look the same: attackers make addresses whose ends are those of another. The gaps
 * are margins, so it is copied as one word.
 */
export function AddressText({ address }: { readonly address: Address }) {
  const groups = address.slice(2).match(/.{4}/g) ?? []
  return (
    <span className="lanyard-address" translate="no">
      0x
      {groups.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups can be equal and never move
        <span key={index}>{group}</span>
      ))}
    </span>
  )
}

/** `0x1234…abcd`, where the whole address is one press away. */
export const shortAddress = (address: Address): string => `${address.slice(0, 6)}…${address.slice(-4)}`

/** Milliseconds for which the outcome is shown. */
const confirmation = 2_000

interface CopyAddressProps {
  readonly address: Address
  readonly texts?: Texts | undefined
}

/** Copies an address and says so, also to screen readers. */
export function CopyAddress({ address, texts }: CopyAddressProps) {
  const say = useTexts(texts)
  const [state, setState] = useState<'copy' | 'copied' | 'notCopied'>('copy')
  useEffect(() => {
    if (state === 'copy') return
    const timer = setTimeout(() => setState('copy'), confirmation)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address)
      setState('copied')
    } catch {
      setState('notCopied') // not allowed, or no HTTPS
    }
  }
  return (
    <button type="button" className="lanyard-button lanyard-quiet" onClick={copy}>
      <Icon name={state === 'copied' ? 'check' : 'copy'} />
      <span aria-live="polite">{say[state]}</span>
    </button>
  )
}
