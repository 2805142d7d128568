interface MeterProps {
  readonly label: string
  readonly value: bigint
  readonly max: bigint
  /** The value as text, for screen readers. */
  readonly text: string
}

/** Shows how much of a limit is left. */
export function Meter({ label, value, max, text }: MeterProps) {
  // Exact for bigints of any size. A bar cannot show more than a tenth of a percent.
  const thousandths = max > 0n ? Number((value * 1_000n) / max) : 0
  return (
    <meter
      aria-label={label}
      aria-valuetext={text}
      max={1_000}
      value={thousandths}
      className="h-2 w-full appearance-none overflow-hidden rounded-full border-0 bg-sunken [&::-moz-meter-bar]:[background:var(--color-accent)] [&::-webkit-meter-bar]:h-2 [&::-webkit-meter-bar]:border-0 [&::-webkit-meter-bar]:[background:var(--color-sunken)] [&::-webkit-meter-optimum-value]:[background:var(--color-accent)]"
    />
  )
}
