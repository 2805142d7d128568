import type { Address } from 'viem'

/**
 * A whole address in groups of four, as people compare long numbers; the ends, by which they recognise one, stand
 * out. It is copied as one word, since the gaps are margins.
 */
export function FullAddress({ address }: { address: Address }) {
  const groups = address.slice(2).match(/.{4}/g) ?? []
  return (
    <span
      className="figures inline-flex flex-wrap gap-y-0.5 font-mono text-[0.9375rem] leading-6"
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
