interface NetworkMarkProps {
  readonly chainId: number
  readonly name: string
  readonly className?: string
}

/** Well-known networks: a shape each, so that they differ without colour too. */
const shapes: Readonly<
  Record<number, { readonly color: string; readonly drawing: 'square' | 'rings' | 'hexagon' | 'diamond' }>
> = {
  1: { color: 'text-eth', drawing: 'diamond' },
  10: { color: 'text-optimism', drawing: 'rings' },
  8453: { color: 'text-base-network', drawing: 'square' },
  42161: { color: 'text-arbitrum', drawing: 'hexagon' },
}

/** A network's badge. An unknown network has a ring with its initial. The name stands beside it. */
export function NetworkMark({ chainId, name, className = 'size-6' }: NetworkMarkProps) {
  const shape = shapes[chainId]
  return (
    <svg
      viewBox="0 0 24 24"
      className={`shrink-0 ${shape?.color ?? 'text-muted'} ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="2.4"
      aria-hidden="true"
    >
      {shape ? drawings[shape.drawing] : <Initials name={name} />}
    </svg>
  )
}

const drawings = {
  square: <rect x="4" y="4" width="16" height="16" rx="3" fill="currentColor" stroke="none" />,
  rings: (
    <>
      <circle cx="8.5" cy="12" r="5.5" />
      <circle cx="15.5" cy="12" r="5.5" />
    </>
  ),
  hexagon: <path d="m12 2.5 8.2 4.8v9.4L12 21.5l-8.2-4.8V7.3L12 2.5Zm2 5-4 9" strokeLinejoin="round" />,
  diamond: <path d="m12 2.5 6.5 9.7-6.5 9.3-6.5-9.3L12 2.5Z" strokeLinejoin="round" />,
} as const

function Initials({ name }: { readonly name: string }) {
  const initials = `${name.charAt(0)}${/\d$/.exec(name)?.[0] ?? ''}`.toUpperCase()
  return (
    <>
      <circle cx="12" cy="12" r="10.5" strokeWidth="1.6" />
      <text
        x="12"
        y="16"
        textAnchor="middle"
        fontSize="10.5"
        fontWeight="600"
        fill="currentColor"
        stroke="none"
      >
        {initials}
      </text>
    </>
  )
}
