/** A network's hue: the same everywhere, and far from the hue of the next chain id. */
export const networkHue = (chainId: number) => (chainId * 137) % 360

/** A network's badge: its first letter and last digit on its colour, which the total's bar also uses. */
export function NetworkMark({ chainId, name }: { chainId: number; name: string }) {
  const initials = `${name.charAt(0)}${/\d$/.exec(name)?.[0] ?? ''}`.toUpperCase()
  return (
    <svg viewBox="0 0 24 24" className="size-6 shrink-0" aria-hidden="true">
      <circle cx="12" cy="12" r="12" fill={`hsl(${networkHue(chainId)} 50% 34%)`} />
      <text x="12" y="16" textAnchor="middle" fontSize="10.5" fontWeight="600" fill="#fff">
        {initials}
      </text>
    </svg>
  )
}
