import type { Address } from 'viem'

/**
 * A full address in groups of four, since people compare long numbers that way. All groups look the same: attackers make
 * addresses whose ends are those of another. The gaps are margins, so it is copied as one word.
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
          className="mr-[0.45em]"
        >
          {group}
        </span>
      ))}
    </span>
  )
}
