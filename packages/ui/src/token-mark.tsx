/** Known tokens by their symbol, round and tinted. Any other has its initial. */
const marks: Readonly<Record<string, { readonly color: string; readonly drawing: string }>> = {
  USDC: {
    color: 'bg-usdc-soft text-usdc',
    drawing:
      'M14.8 9.6c-.4-1-1.4-1.6-2.8-1.6-1.7 0-2.9.8-2.9 2s1 1.7 2.9 2 3 .9 3 2.1-1.3 2-3 2c-1.5 0-2.6-.6-3-1.7M12 6.4V8m0 8v1.6',
  },
  ETH: {
    color: 'bg-eth-soft text-eth',
    drawing: 'M12 4.8 7.4 12.2 12 14.8l4.6-2.6L12 4.8Zm0 12L7.4 14.1 12 19.6l4.6-5.5L12 16.8Z',
  },
}

/** A token's badge. Its symbol stands beside it. */
export function TokenMark({ symbol, className = 'size-9' }: { symbol: string; className?: string }) {
  const mark = marks[symbol]
  return (
    <span
      className={`grid shrink-0 place-items-center rounded-full ${mark?.color ?? 'bg-sunken text-muted'} ${className}`}
      aria-hidden="true"
    >
      <svg viewBox="0 0 24 24" className="size-2/3" fill="none" aria-hidden="true">
        {mark ? (
          <>
            {symbol === 'USDC' && <circle cx="12" cy="12" r="9.5" stroke="currentColor" strokeWidth="1.8" />}
            <path
              d={mark.drawing}
              stroke={symbol === 'USDC' ? 'currentColor' : 'none'}
              fill={symbol === 'USDC' ? 'none' : 'currentColor'}
              strokeWidth="1.8"
              strokeLinecap="round"
            />
          </>
        ) : (
          <text x="12" y="16.5" textAnchor="middle" fontSize="13" fontWeight="600" fill="currentColor">
            {symbol.charAt(0)}
          </text>
        )}
      </svg>
    </span>
  )
}
