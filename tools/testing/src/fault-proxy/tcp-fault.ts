/** How a proxy treats open and new connections. */
export type TcpFault =
  | { readonly kind: 'pass' }
  /** Delays every chunk in both directions. */
  | { readonly kind: 'delay'; readonly milliseconds: number }
  /** Resets (RST) open connections now, and new ones after the given number of answer bytes. Default: 0. */
  | { readonly kind: 'cut'; readonly bytes?: number }
  /** Ends (FIN) a connection's answers after the given number of bytes, counted from now. */
  | { readonly kind: 'truncate'; readonly bytes: number }
  /**
   * Resets the connection instead of forwarding the answer to a chunk (latin1) for which `to` returns true.
   * The target has executed the request, and the client never learns it.
   */
  | { readonly kind: 'lose-answer'; readonly to: (sent: string) => boolean }
  /**
   * Connections are accepted, but nothing is forwarded until the fault ends. Then waiting data is forwarded.
   * With `forever`, affected connections stay silent and open, as after a firewall or a failed host has lost
   * their state.
   */
  | { readonly kind: 'black-hole'; readonly forever?: boolean }
  /** Nobody listens, and open connections are reset. */
  | { readonly kind: 'refuse' }

export type TcpTarget = { readonly host: string; readonly port: number } | { readonly path: string }
