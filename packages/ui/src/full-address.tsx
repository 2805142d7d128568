import type { Address } from 'viem'

/**
 * A full address in groups of four, since people compare long numbers that way. The ends, by which people
 * recognize an address, are highlighted. The gaps are margins, so it is copied as one word.
 */
export function FullAddress({ address }: { address: Address }) {
  const groups = address.slice(2).match(/.{4}/g) ?? []
  return (
    <span
      className="figures inline-flex flex-wrap gap-y-0.5 font-mono text-sm leading-6 sm:text-[0.9375rem]"
      translate="no"
    >
      <span className="text-muted">0x</span>
      {groups.map((group, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: groups can be equal and never move
          key={index}
          className={index === 0 || index === groups.length - 1 ? 'mr-[0.45em]' : 'mr-[0.45em] text-muted'}
        >
          {group}
        </span>
      ))}
    </span>
  )
}
