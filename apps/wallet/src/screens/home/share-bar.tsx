import { networkHue } from '@lanyard/ui'
import type { Total } from './total.ts'

/** The part in thousandths of the whole, exact for bigints of any size. */
const thousandths = (part: bigint, whole: bigint) => Number((part * 1_000n) / whole)

/** Shows how a total is distributed over the networks. The list below has the figures. */
export function ShareBar({ total: { amount, shares } }: { total: Total }) {
  if (amount === 0n) return null
  let start = 0
  return (
    <svg width="100%" height="10" className="rounded-full" aria-hidden="true">
      <rect width="100%" height="10" className="fill-sunken" />
      {shares.map(({ network, amount: part }) => {
        const width = thousandths(part, amount)
        const x = start
        start += width
        return (
          <rect
            key={network.chainId}
            x={`${x / 10}%`}
            width={`${width / 10}%`}
            height="10"
            fill={`hsl(${networkHue(network.chainId)} 50% 46%)`}
          />
        )
      })}
    </svg>
  )
}
