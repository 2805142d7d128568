import { useMemo } from 'react'
import { encode } from 'uqr'

/** A QR code as one path. It is always dark on white, since some cameras cannot read the reverse. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { data, size } = encode(text, { ecc: 'M', border: 2 })
    const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
    return { size, path }
  }, [text])
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      className="w-full rounded-field bg-white"
    >
      <path d={path} fill="#14211a" />
    </svg>
  )
}
