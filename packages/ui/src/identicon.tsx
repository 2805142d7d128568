import { type Address, hexToBytes, keccak256 } from 'viem'

/**
 * A picture derived from an address: five by five, mirrored. It helps people to notice a different address,
 * but never proves that two are equal, so it is always shown with the address.
 */
export function Identicon({ address, className = 'size-9' }: { address: Address; className?: string }) {
  const bytes = hexToBytes(keccak256(hexToBytes(address)))
  const hue = (((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)) % 360
  const cells = Array.from({ length: 15 }, (_, cell) => cell).filter(
    (cell) => (bytes[cell + 2] ?? 0) % 2 === 0,
  )
  const path = cells
    .map((cell) => {
      const x = Math.floor(cell / 5)
      const y = cell % 5
      const square = (at: number) => `M${at + 1} ${y + 1}h1v1h-1z`
      return x === 2 ? square(2) : square(x) + square(4 - x)
    })
    .join('')
  return (
    <svg
      viewBox="0 0 7 7"
      className={`shrink-0 rounded-full ${className}`}
      shapeRendering="crispEdges"
      aria-hidden="true"
    >
      <rect width="7" height="7" fill={`hsl(${hue} 45% 88%)`} />
      <path d={path} fill={`hsl(${(hue + 40) % 360} 60% 34%)`} />
    </svg>
  )
}
