interface SparkProps {
  /** What it shows, for screen readers, with the figures that matter. */
  readonly label: string
  /** Null where nothing was measured. */
  readonly values: readonly (number | null)[]
}

const [width, height] = [96, 32]

/** The course of a figure, without axes. The whole chart has them. */
export function Spark({ label, values }: SparkProps) {
  const highest = Math.max(...values.map((value) => value ?? 0), 0) || 1
  const step = width / Math.max(values.length - 1, 1)
  const points = values.flatMap((value, index) =>
    value === null
      ? []
      : [`${(index * step).toFixed(1)},${(height - 2 - (value / highest) * (height - 4)).toFixed(1)}`],
  )
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${width} ${height}`} className="h-8 w-24 shrink-0">
      <path d={`M0 ${height - 2}H${width}`} className="stroke-line" strokeWidth="1" />
      {points.length > 0 && (
        <polyline
          points={points.join(' ')}
          fill="none"
          className="stroke-accent"
          strokeWidth="1.5"
          strokeLinejoin="round"
          strokeLinecap="round"
        />
      )}
    </svg>
  )
}
